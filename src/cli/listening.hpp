#pragma once

#include <fairlead/http/listener.hpp>

#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// What an HTTP listener needs to know of the configuration. An error says what is wrong with keys or certificates,
/// or how to listen beyond this machine.
Result<http::ListenOptions> listen_options(const gateway::ListenConfig& config);

/// The value of `--port`; 0 is any that is free. An error is the user's.
Result<std::uint16_t> read_port(const std::string& text);

}  // namespace fairlead::cli
