#pragma once

#include <cstdint>
#include <string>

#include "gateway/config/reading.hpp"

namespace fairlead::gateway {

/// Whose words a file uses.
enum class Dialect : std::uint8_t {
  own,      ///< Every key is ours: others are mistakes.
  foreign,  ///< `mcpServers`, as other programs keep it: what they keep besides is left alone.
};

/// One server. An entry that says where the server is replaces an earlier one of that name; one that does not changes
/// what it names.
void read_server(Reading& reading, const Place& place, const std::string& name, Dialect dialect, GatewayConfig& into);

/// All servers of a map from their names, or of a list of maps with a `name` each.
void read_servers(Reading& reading, const Place& place, Dialect dialect, GatewayConfig& into);

}  // namespace fairlead::gateway
