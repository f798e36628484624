#pragma once

#include <chrono>
#include <fairlead/base/result.hpp>
#include <fairlead/http/identity.hpp>
#include <string>
#include <vector>

#include "auth/jose/jose.hpp"

namespace fairlead::auth {

using WallTime = std::chrono::system_clock::time_point;

/// What the claims of an access token must say.
struct ClaimRules {
  std::string issuer;
  std::vector<std::string> audiences;  ///< One of them must be in `aud`.
  std::chrono::seconds skew{60};       ///< Difference of clocks that is tolerated.
  std::string principal_claim = {};    ///< Claim with the principal; empty for `sub` or the client.
  /// The issuer itself gave the claims: it may leave out `iss` and `exp` (RFC 7662, 2.2).
  bool introspected = false;
  bool issuer_in_principal = false;  ///< True with several issuers: a `sub` is unique within its issuer only.
};

/// Checks the claims and makes the identity. Errors name the claim, never its value.
Result<http::Identity> identity_of(const jose::Members& claims, std::string_view claims_json, const ClaimRules& rules,
                                   WallTime now);

}  // namespace fairlead::auth
