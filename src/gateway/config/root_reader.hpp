#pragma once

#include "gateway/config/reading.hpp"

namespace fairlead::gateway {

/// A whole file, in any of the forms that are understood.
void read_root(Reading& reading, const Node& root, GatewayConfig& into);

/// The steps of a chain that is complete: a way in, and a server. `line.node` holds them.
void read_whole_line(Reading& reading, const Place& line, GatewayConfig& into);

}  // namespace fairlead::gateway
