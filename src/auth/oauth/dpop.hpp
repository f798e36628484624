#pragma once

#include <chrono>
#include <cstddef>
#include <fairlead/base/lru_cache.hpp>
#include <fairlead/base/result.hpp>
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

/// Checks DPoP proofs (RFC 9449, 4.3) and refuses repeated ones. Thread-safe.
class ProofCheck {
 public:
  using Time = std::chrono::system_clock::time_point;

  ProofCheck(jose::AllowedAlgorithms algorithms, std::size_t max_proofs)
      : algorithms_(std::move(algorithms)), max_proofs_(max_proofs) {}

  /// The error says what is wrong with the proof, without its contents.
  Result<void> check(std::string_view proof, const ProvenRequest& request, Time now);

 private:
  Result<void> remember(const std::string& proof_id, Time now);

  jose::AllowedAlgorithms algorithms_;
  std::size_t max_proofs_;
  std::mutex mutex_;
  LruCache<std::string, Time, HashIndex> seen_;  // End of validity by SHA-256 of thumbprint and `jti`, oldest first.
};

}  // namespace fairlead::auth
