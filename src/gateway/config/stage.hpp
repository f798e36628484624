#pragma once

#include <vector>

#include "gateway/config/reading.hpp"

/// The steps of a chain: `timeout(30s)`, and in files also `timeout: 30s`.
namespace fairlead::gateway {

/// A list of steps, or a single one.
void read_chain(Reading& reading, const Place& place, ChainConfig& into);

/// The steps of the whole gateway: the first may be the way in, the last the server.
void read_whole_chain(Reading& reading, const std::vector<Place>& steps, GatewayConfig& into);

/// What the server of a chain is called.
constexpr std::string_view chain_server = "server";

}  // namespace fairlead::gateway
