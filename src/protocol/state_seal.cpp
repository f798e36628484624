#include <fairlead/protocol/state_seal.hpp>

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <stdexcept>

#include "crypto/aead.hpp"
#include "crypto/digest.hpp"
#include "crypto/random.hpp"
#include "crypto/secret.hpp"
#include "protocol/canonical_json.hpp"

namespace fairlead::protocol {
namespace {

// A sealed state is the URL form of base64 of
//   version (1) | size of the key id (1) | key id | nonce (12) | ciphertext | tag (16)
// where everything before the nonce is associated data, and the ciphertext contains
//   expiry (8, Unix seconds, most significant byte first) | SHA-256 of principal, method, arguments (32 each) | state.
constexpr char version = 1;
constexpr std::size_t expiry_size = 8;
constexpr std::size_t digest_size = 32;
constexpr std::size_t prologue_size = expiry_size + 3 * digest_size;

/// The prefix distinguishes a text that is not JSON from canonical JSON.
std::string arguments_digest(std::string_view arguments) {
  constexpr std::array<std::string_view, 3> changing{"inputResponses", "requestState", "_meta"};
  const auto canonical = canonical_json(arguments, changing);
  return crypto::sha256(canonical ? "json:" + *canonical : "text:" + std::string(arguments));
}

std::string binding_digests(const SealBinding& binding) {
  return crypto::sha256(binding.principal) + crypto::sha256(binding.method) + arguments_digest(binding.arguments);
}

std::int64_t seconds_since_epoch(std::chrono::system_clock::time_point time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

void append_expiry(std::string& out, std::int64_t seconds) {
  const auto bits = static_cast<std::uint64_t>(seconds);
  for (unsigned shift = 64; shift > 0; shift -= 8) out += static_cast<char>(bits >> (shift - 8) & 255);
}

std::int64_t read_expiry(std::string_view bytes) {
  std::uint64_t bits = 0;
  for (const char byte : bytes.substr(0, expiry_size)) bits = bits << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(bits);
}

std::string clear_header(std::string_view key_id) {
  std::string bytes{version, static_cast<char>(key_id.size())};
  return bytes.append(key_id);
}

/// The first difference between the request that a state was sealed for and this one.
SealError difference(std::string_view sealed_for, std::string_view asked_for) {
  constexpr std::array faults{SealError::principal, SealError::method, SealError::arguments};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::size_t at = i * digest_size;
    if (!crypto::equal_in_constant_time(sealed_for.substr(at, digest_size), asked_for.substr(at, digest_size)))
      return faults[i];
  }
  return SealError::none;
}

void require_usable(const std::vector<SealKey>& ring) {
  if (ring.empty()) throw std::invalid_argument("a seal needs at least one key");
  for (auto key = ring.begin(); key != ring.end(); ++key) {
    if (key->id.empty() || key->id.size() > 255) throw std::invalid_argument("a key id has 1 to 255 bytes");
    if (std::find_if(ring.begin(), key, [&](const SealKey& other) { return other.id == key->id; }) != key) {
      throw std::invalid_argument("two keys have the id " + key->id);
    }
  }
}

}  // namespace

SealKey::~SealKey() {
  crypto::wipe(std::span(secret));
}

StateSeal::StateSeal(std::vector<SealKey> ring, std::chrono::seconds lifetime, Clock now)
    : ring_(std::move(ring)), lifetime_(lifetime), now_(std::move(now)) {
  require_usable(ring_);
}

Result<StateSeal> StateSeal::random() {
  std::array<std::uint8_t, 6> name{};
  std::vector<SealKey> ring(1);
  if (!crypto::fill_random(name) || !crypto::fill_random(ring[0].secret)) {
    return fail(ErrorKind::invalid, "no random bytes for a key: configure a key");
  }
  // A random id, so that states of another process are logged as "unknown key" rather than "tampered".
  ring[0].id = base64_encode({reinterpret_cast<const char*>(name.data()), name.size()}, Base64::url);
  return StateSeal(std::move(ring));
}

std::string StateSeal::seal(std::string_view plain, const SealBinding& binding) const {
  const SealKey& key = ring_.front();
  std::string inside;
  inside.reserve(prologue_size + plain.size());
  append_expiry(inside, seconds_since_epoch(now_()) + lifetime_.count());
  inside.append(binding_digests(binding)).append(plain);
  const std::string clear_part = clear_header(key.id);
  const std::string sealed = clear_part + crypto::encrypt(key.secret, inside, clear_part);
  crypto::wipe(inside);
  return base64_encode(sealed, Base64::url);
}

Result<std::string> StateSeal::open(std::string_view sealed, const SealBinding& binding, SealError* reason) const {
  auto plain = examine(sealed, binding);
  if (reason != nullptr) *reason = plain ? SealError::none : plain.error();
  if (plain) return std::move(*plain);
  return refuse(ProtocolError::invalid_params,
                "requestState does not belong to this request or has expired: send the request again without it");
}

std::expected<std::string, SealError> StateSeal::examine(std::string_view sealed, const SealBinding& binding) const {
  const auto bytes = base64_decode(sealed, Base64::url);
  if (!bytes || bytes->size() < 2 || (*bytes)[0] != version) return std::unexpected(SealError::malformed);
  const std::size_t id_size = static_cast<unsigned char>((*bytes)[1]);
  if (bytes->size() < 2 + id_size + crypto::nonce_size + prologue_size + crypto::tag_size)
    return std::unexpected(SealError::malformed);
  const std::string_view clear_part = std::string_view(*bytes).substr(0, 2 + id_size);
  const SealKey* key = find_key(clear_part.substr(2));
  if (key == nullptr) return std::unexpected(SealError::unknown_key);

  auto inside = crypto::decrypt(key->secret, std::string_view(*bytes).substr(clear_part.size()), clear_part);
  if (!inside) return std::unexpected(SealError::tampered);
  const auto digests = std::string_view(*inside).substr(expiry_size, 3 * digest_size);
  if (const auto fault = difference(digests, binding_digests(binding)); fault != SealError::none)
    return std::unexpected(fault);
  if (seconds_since_epoch(now_()) >= read_expiry(*inside)) return std::unexpected(SealError::expired);
  return std::move(inside->erase(0, prologue_size));
}

const SealKey* StateSeal::find_key(std::string_view id) const {
  const auto key = std::ranges::find(ring_, id, &SealKey::id);
  return key == ring_.end() ? nullptr : &*key;
}

}  // namespace fairlead::protocol
