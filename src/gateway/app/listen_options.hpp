#pragma once

#include <fairlead/auth/api_keys.hpp>
#include <fairlead/http/listener.hpp>
#include <memory>
#include <string>
#include <vector>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Converts the configuration to options of the HTTP listener. Fails on invalid keys or certificates, and on a public
/// address without authentication.
Result<http::ListenOptions> listen_options(const ListenConfig& config);

/// Paths that need neither a key nor a token: the health checks and the sign-in pages.
std::vector<std::string> open_paths(const ListenConfig& config);

/// The keys of the clients; null if none are configured.
Result<std::shared_ptr<const auth::ApiKeyCheck>> key_check(const ListenConfig& config);

}  // namespace fairlead::gateway
