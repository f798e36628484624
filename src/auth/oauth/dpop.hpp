#pragma once

#include <chrono>
#include <cstddef>
#include <fairlead/base/lru_cache.hpp>
#include <fairlead/base/result.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "auth/jose/jose.hpp"

namespace fairlead::auth {

/// The request that a DPoP proof must be about.
struct ProvenRequest {
  std::string_view method;
  std::string_view url;       ///< Public URL without query.
  std::string_view token;     ///< The access token.
  std::string_view bound_to;  ///< Thumbprint in the token (`cnf.jkt`).
};

/// Nonces of this server (RFC 9449, 9): an HMAC over the current window of five minutes. Needs no memory, and replicas
/// with the same secret accept each other's. Thread-safe.
class DpopNonces {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// An empty secret is replaced by a random one.
  explicit DpopNonces(std::string secret);
  std::string current(Time now) const { return of_window(window(now)); }
  /// True for the nonce of the current and of the previous window.
  bool accepts(std::string_view nonce, Time now) const;

 private:
  static std::int64_t window(Time now);
  std::string of_window(std::int64_t window) const;

  std::string secret_;
};

/// Checks DPoP proofs (RFC 9449, 4.3) and refuses repeated ones. Thread-safe.
class ProofCheck {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// With `nonces`, proofs must contain one of them.
  ProofCheck(jose::AllowedAlgorithms algorithms, std::size_t max_proofs, std::shared_ptr<const DpopNonces> nonces = {})
      : algorithms_(std::move(algorithms)), max_proofs_(max_proofs), nonces_(std::move(nonces)) {}

  /// The error says what is wrong with the proof, without its contents. Its subject is `use_dpop_nonce` if only a
  /// current nonce is missing.
  Result<void> check(std::string_view proof, const ProvenRequest& request, Time now);

 private:
  Result<void> remember(const std::string& proof_id, Time now);

  jose::AllowedAlgorithms algorithms_;
  std::size_t max_proofs_;
  std::shared_ptr<const DpopNonces> nonces_;
  std::mutex mutex_;
  LruCache<std::string, Time, HashIndex> seen_;  // End of validity by SHA-256 of thumbprint and `jti`, oldest first.
};

}  // namespace fairlead::auth
