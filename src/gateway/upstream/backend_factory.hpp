#pragma once

#include <fairlead/client/endpoint.hpp>
#include <string>

#include "gateway/config/config.hpp"
#include "gateway/upstream/server_credentials.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::gateway {

/// Converts the configuration of a server to an endpoint and options.
client::Endpoint endpoint_of(const ServerConfig& config);
UpstreamOptions upstream_options(const ServerConfig& config);

/// Makes the backend: one connection for all callers, one per protocol era, or one per caller. `credentials` may be
/// null.
std::shared_ptr<ManagedBackend> make_backend(const EventLoop& loop, const ServerConfig& config,
                                             const UpstreamOptions& options,
                                             const std::shared_ptr<ServerCredentials>& credentials = nullptr);

/// A hash that changes with the identity of a server and does not disclose its secrets.
std::string fingerprint(const ServerConfig& config);

}  // namespace fairlead::gateway
