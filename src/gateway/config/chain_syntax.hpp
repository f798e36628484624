#pragma once

#include "config/read_context.hpp"
#include "gateway/config/config.hpp"

/// Reads chain steps: `timeout(30s)`, and in files also `timeout: 30s`.
namespace fairlead::gateway {

/// Reads a list of steps, or a single step.
void read_chain(config::ReadContext& context, const config::NodeRef& ref, ChainConfig& into);

/// Reads the chain of the gateway: its first step may be a listen address, its last one a server.
void read_gateway_chain(config::ReadContext& context, const std::vector<config::NodeRef>& steps, GatewayConfig& into);

/// Name of the server that a chain ends in.
constexpr std::string_view chain_server = "server";

}  // namespace fairlead::gateway
