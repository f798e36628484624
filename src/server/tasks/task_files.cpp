#include "server/tasks/task_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fairlead/json/codec.hpp>
#include <fcntl.h>
#include <stdexcept>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/read_file.hpp"
#include "crypto/aead.hpp"
#include "crypto/random.hpp"

namespace fairlead::server {
namespace {

namespace fs = std::filesystem;

constexpr char file_version = 1;
constexpr const char* extension_of_tasks = ".task";

std::string system_error_text(const std::string& what, const fs::path& path) {
  return what + " " + path.string() + ": " + std::strerror(errno);
}

Result<void> write_synced(const fs::path& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file) return fail(ErrorKind::invalid, system_error_text("cannot create", path));
  while (!bytes.empty()) {
    const auto count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(ErrorKind::invalid, system_error_text("cannot write", path));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(file.get()) != 0) return fail(ErrorKind::invalid, system_error_text("cannot write", path));
  return {};
}

protocol::SealKey key_from(std::string_view secret) {
  protocol::SealKey key{.id = "local"};
  if (secret.size() != key.secret.size()) throw std::runtime_error("the file 'key' of the task store is damaged");
  std::ranges::copy(secret, key.secret.begin());
  return key;
}

// The key of the folder, made on the first use.
protocol::SealKey own_key(const fs::path& folder) {
  const auto path = folder / "key";
  if (const auto known = read_file(path)) return key_from(*known);
  const auto secret = crypto::random_bytes(protocol::SealKey().secret.size());
  const auto draft = folder / "key.draft";
  if (const auto written = write_synced(draft, secret); !written) throw std::runtime_error(written.error().message);
  if (::rename(draft.c_str(), path.c_str()) != 0) throw std::runtime_error(system_error_text("cannot write", path));
  return key_from(secret);
}

Descriptor lock_folder(const fs::path& folder) {
  const auto path = folder / "lock";
  Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!lock) throw std::runtime_error(system_error_text("cannot create", path));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  throw std::runtime_error("another process keeps its tasks in " + folder.string() + "; use another folder");
}

fs::path made_folder(fs::path folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw std::runtime_error("cannot create the folder " + folder.string() + ": " + error.message());
  return folder;
}

std::string header_of(const protocol::SealKey& key) {
  return std::string{file_version, static_cast<char>(key.id.size())} + key.id;
}

}  // namespace

TaskFiles::TaskFiles(fs::path folder, std::vector<protocol::SealKey> keys)
    : folder_(made_folder(std::move(folder))),
      keys_(std::move(keys)),
      lock_(lock_folder(folder_)),
      directory_(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (keys_.empty()) keys_.push_back(own_key(folder_));
}

fs::path TaskFiles::path_of(const std::string& id) const {
  return folder_ / (id + extension_of_tasks);
}

// version (1) | size of the key id (1) | key id | nonce, ciphertext and tag. The id of the task is authenticated, so
// that files cannot be exchanged.
std::string TaskFiles::seal(const TaskRecord& record) const {
  const auto& key = keys_.front();
  const auto header = header_of(key);
  return header + crypto::encrypt(key.secret, json::encode(record), header + record.id);
}

std::optional<TaskRecord> TaskFiles::open(const std::string& id, std::string_view sealed) const {
  for (const auto& key : keys_) {
    const auto header = header_of(key);
    if (!sealed.starts_with(header)) continue;
    const auto plain = crypto::decrypt(key.secret, sealed.substr(header.size()), header + id);
    auto record = plain ? json::decode<TaskRecord>(*plain) : Result<TaskRecord>(fail(ErrorKind::malformed, ""));
    if (record && record->id == id) return std::move(*record);
  }
  return std::nullopt;
}

std::vector<TaskRecord> TaskFiles::load() const {
  std::vector<TaskRecord> records;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const auto& path = entry.path();
    if (path.extension() == ".draft") fs::remove(path, error);
    if (path.extension() != extension_of_tasks) continue;
    const auto sealed = read_file(path);
    auto record = sealed ? open(path.stem().string(), *sealed) : std::nullopt;
    if (record) records.push_back(std::move(*record));
  }
  return records;
}

Result<void> TaskFiles::write(const TaskRecord& record) const {
  const auto draft = folder_ / (record.id + ".draft");
  if (auto written = write_synced(draft, seal(record)); !written) {
    ::unlink(draft.c_str());
    return written;
  }
  const auto path = path_of(record.id);
  if (::rename(draft.c_str(), path.c_str()) != 0)
    return fail(ErrorKind::invalid, system_error_text("cannot write", path));
  if (::fsync(directory_.get()) != 0) return fail(ErrorKind::invalid, system_error_text("cannot sync", folder_));
  return {};
}

void TaskFiles::remove(const std::string& id) const noexcept {
  ::unlink(path_of(id).c_str());
}

}  // namespace fairlead::server
