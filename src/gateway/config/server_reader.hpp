#pragma once

#include "config/read_context.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Which keys a file may contain.
enum class Dialect : std::uint8_t {
  own,      ///< Our own keys; unknown ones are errors.
  foreign,  ///< `mcpServers` of other programs; unknown keys are ignored.
};

/// Reads one server. An entry with a command or URL replaces an earlier server of that name; an entry without one
/// changes the members that it names.
void read_server(config::ReadContext& context, const config::NodeRef& ref, const std::string& name, Dialect dialect,
                 GatewayConfig& into);

/// Reads a map of servers by name, or a list of maps with a `name` each.
void read_servers(config::ReadContext& context, const config::NodeRef& ref, Dialect dialect, GatewayConfig& into);

}  // namespace fairlead::gateway
