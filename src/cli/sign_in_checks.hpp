#pragma once

#include <vector>

#include "cli/environment_checks.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Follows the steps of a sign-in up to the page for the user, at servers that refuse requests without a token:
/// challenge, protected resource metadata, authorization server metadata, PKCE, registration. Returns one result for
/// each step of each such server, up to the first that fails.
std::vector<CheckResult> check_sign_in(const std::vector<gateway::ServerConfig>& servers);

}  // namespace fairlead::cli
