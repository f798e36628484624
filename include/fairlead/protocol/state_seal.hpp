#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <fairlead/base/result.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::protocol {

/// A secret and the name under which a sealed text asks for it. Wipes the secret when it goes.
struct SealKey {
  std::string id;  ///< Travels in the open; 1 to 255 bytes.
  std::array<std::uint8_t, 32> secret = {};

  ~SealKey();
};

/// The request that a state belongs to. A state opens only for the same one.
struct SealBinding {
  std::string_view principal;  ///< Who asks, as the authorization tells it; empty where nobody is known.
  std::string_view method;

  /// The request's `params` as JSON text. Bound by meaning, so that a client may write its params anew: the order of
  /// members, white space, escapes and the form of numbers (as far as 64-bit integers and doubles tell them apart) do
  /// not matter. `inputResponses`, `requestState` and `_meta` change between rounds and are left out. Text that is not
  /// JSON is bound byte for byte.
  std::string_view arguments;
};

/// Why a state was refused: for the log, never for the peer.
enum class SealFault : std::uint8_t { none, malformed, unknown_key, tampered, expired, principal, method, arguments };

/// Turns state that a client carries between the rounds of a request into text it can neither read nor change.
///
/// AES-256-GCM under a random nonce; safe for 2^32 states a key. Immutable, so threads may share one.
class StateSeal {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  /// The first key seals, all open: put a new key in front and keep the old one for `lifetime`.
  /// Throws std::invalid_argument if the ring is empty, or an id is empty, too long or there twice.
  explicit StateSeal(std::vector<SealKey> ring, std::chrono::seconds lifetime = std::chrono::minutes{10},
                     Clock now = &std::chrono::system_clock::now);

  /// With one fresh key: states open in this process alone.
  static Result<StateSeal> random();

  std::string seal(std::string_view plain, const SealBinding& binding) const;

  /// Every refusal is the same Fault::invalid_params, so that an attacker learns nothing; `reason` tells them apart.
  Result<std::string> open(std::string_view sealed, const SealBinding& binding, SealFault* reason = nullptr) const;

 private:
  const SealKey* find_key(std::string_view id) const;
  std::expected<std::string, SealFault> examine(std::string_view sealed, const SealBinding& binding) const;

  std::vector<SealKey> ring_;
  std::chrono::seconds lifetime_;
  Clock now_;
};

}  // namespace fairlead::protocol
