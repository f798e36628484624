#pragma once

#include "gateway/config/read_context.hpp"

namespace fairlead::gateway {

/// Reads a whole file in any of the supported formats.
void read_root(ReadContext& context, const Node& root, GatewayConfig& into);

/// Reads a complete chain of a listen address, steps and a server. `line.node` holds them.
void read_pipe_steps(ReadContext& context, const NodeRef& line, GatewayConfig& into);

}  // namespace fairlead::gateway
