#pragma once

#include <array>
#include <chrono>
#include <fairlead/base/result.hpp>
#include <functional>
#include <string_view>
#include <vector>

namespace fairlead::protocol {

/// An encryption key and the id that sealed texts refer to. The destructor wipes the key.
struct SealKey {
  std::string id;  ///< Not encrypted; 1 to 255 bytes.
  std::array<std::uint8_t, 32> secret = {};

  ~SealKey();
};

/// The request that a state is bound to. open() fails for any other request.
struct SealBinding {
  std::string_view principal;  ///< The authenticated principal; empty without authentication.
  std::string_view method;

  /// The request's `params` as JSON text. Compared by value, so that a client may serialize its params again: the order
  /// of members, white space, escapes and the form of numbers do not matter. `inputResponses`, `requestState` and
  /// `_meta` change between rounds and are ignored. Text that is not JSON is compared byte for byte.
  std::string_view arguments;
};

/// Why a state was refused. For the log only; do not send it to the peer.
enum class SealError : std::uint8_t { none, malformed, unknown_key, tampered, expired, principal, method, arguments };

/// Encrypts and authenticates the `requestState` that a client sends back between the rounds of a request.
///
/// AES-256-GCM with a random nonce; safe for 2^32 states per key. Immutable and thread-safe.
class StateSeal {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  /// seal() uses the first key, open() all: to rotate, insert a new key in front and keep the old one for `lifetime`.
  /// Throws std::invalid_argument if the ring is empty, or an id is empty, too long or duplicate.
  explicit StateSeal(std::vector<SealKey> ring, std::chrono::seconds lifetime = std::chrono::minutes{10},
                     Clock now = &std::chrono::system_clock::now);

  /// Uses one random key: states can be opened in this process only.
  static Result<StateSeal> random();

  std::string seal(std::string_view plain, const SealBinding& binding) const;

  /// Every failure gives the same ProtocolError::invalid_params, to reveal nothing to an attacker; see `reason`.
  Result<std::string> open(std::string_view sealed, const SealBinding& binding, SealError* reason = nullptr) const;

 private:
  const SealKey* find_key(std::string_view id) const;
  std::expected<std::string, SealError> examine(std::string_view sealed, const SealBinding& binding) const;

  std::vector<SealKey> ring_;
  std::chrono::seconds lifetime_;
  Clock now_;
};

}  // namespace fairlead::protocol
