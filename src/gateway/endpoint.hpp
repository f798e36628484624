#pragma once

#include <fairlead/client/endpoint.hpp>
#include <string>

#include "gateway/config/config.hpp"
#include "gateway/upstream/upstream.hpp"
#include "gateway/upstream/wardrobe.hpp"

namespace fairlead::gateway {

/// Where a server is, and how to treat it, as its configuration says.
client::Endpoint endpoint_of(const ServerConfig& config);
UpstreamOptions upstream_options(const ServerConfig& config);

/// One connection for all callers, one for each era of the protocol, or one for each caller.
WayToServer way_to(const Loop& loop, const ServerConfig& config, const UpstreamOptions& options);

/// Changes when what a server is changes, and says nothing of its secrets.
std::string fingerprint(const ServerConfig& config);

}  // namespace fairlead::gateway
