#pragma once

#include <fairlead/http/listener.hpp>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Converts the configuration to options of the HTTP listener. Fails on invalid keys or certificates, and on a public
/// address without authentication.
Result<http::ListenOptions> listen_options(const ListenConfig& config);

}  // namespace fairlead::gateway
