#include "gateway/model/task_seal.hpp"

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <stdexcept>

#include "crypto/aead.hpp"
#include "crypto/digest.hpp"
#include "crypto/random.hpp"

namespace fairlead::gateway {
namespace {

// A handle is the URL form of base64 of
//   version (1) | nonce (12) | ciphertext | tag (16)
// The ciphertext contains tool | NUL | qualified id. Version and binding are associated data.
constexpr char handle_version = 1;
// Longer texts cannot be handles of ours: names and ids have limits far below.
constexpr std::size_t max_handle_size = 16 * 1024;

std::string derived(const TaskSeal::Secret& secret, std::string_view purpose) {
  return crypto::hmac_sha256({reinterpret_cast<const char*>(secret.data()), secret.size()}, purpose);
}

// Digests have a fixed size, so different pairs give different texts.
std::string associated_data(const TaskHandleBinding& binding) {
  return handle_version + crypto::sha256(binding.virtual_server) + crypto::sha256(binding.principal);
}

}  // namespace

TaskSeal::TaskSeal(const Secret& secret) : key_{}, nonce_key_(derived(secret, "fairlead task handle: nonce")) {
  std::ranges::copy(derived(secret, "fairlead task handle: key"), key_.begin());
}

TaskSeal TaskSeal::random() {
  Secret secret{};
  if (!crypto::fill_random(secret)) throw std::runtime_error("no random bytes for the key of task handles");
  return TaskSeal(secret);
}

std::string TaskSeal::seal(const TaskReference& task, const TaskHandleBinding& binding) const {
  const auto inside = task.tool + '\0' + task.id;
  const auto associated = associated_data(binding);
  const auto nonce = crypto::hmac_sha256(nonce_key_, associated + inside).substr(0, crypto::nonce_size);
  return base64_encode(handle_version + crypto::encrypt_with_nonce(key_, nonce, inside, associated), Base64::url);
}

std::optional<TaskReference> TaskSeal::open(std::string_view handle, const TaskHandleBinding& binding) const {
  if (handle.size() > max_handle_size) return std::nullopt;
  const auto bytes = base64_decode(handle, Base64::url);
  if (!bytes || bytes->empty() || bytes->front() != handle_version) return std::nullopt;
  const auto inside = crypto::decrypt(key_, std::string_view(*bytes).substr(1), associated_data(binding));
  const auto end = inside ? inside->find('\0') : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  return TaskReference{.tool = inside->substr(0, end), .id = inside->substr(end + 1)};
}

std::string qualified_task_id(std::string_view server, std::string_view id) {
  return std::string(server) + '/' + std::string(id);
}

std::optional<std::pair<std::string_view, std::string_view>> split_task_id(std::string_view qualified) {
  const auto end = qualified.find('/');
  if (end == std::string_view::npos) return std::nullopt;
  return std::pair(qualified.substr(0, end), qualified.substr(end + 1));
}

}  // namespace fairlead::gateway
