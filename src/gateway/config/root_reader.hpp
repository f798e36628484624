#pragma once

#include "config/read_context.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Reads a whole file in any of the supported formats.
void read_root(config::ReadContext& context, const config::Node& root, GatewayConfig& into);

/// Reads a complete chain of a listen address, steps and a server. `line.node` holds them.
void read_pipe_steps(config::ReadContext& context, const config::NodeRef& line, GatewayConfig& into);

}  // namespace fairlead::gateway
