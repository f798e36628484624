#pragma once

#include <fairlead/http/listener.hpp>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Converts the configuration to options of the HTTP listener. Fails on invalid keys or certificates, and on a public
/// address without authentication.
Result<http::ListenOptions> listen_options(const gateway::ListenConfig& config);

/// Parses the value of `--port`; 0 means any free port. The error is for the user.
Result<std::uint16_t> read_port(const std::string& text);

}  // namespace fairlead::cli
