#pragma once

#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>

namespace fairlead::protocol {

/// Params that say which subscription they belong to, in the JSON type of the id of the request that opened it, as
/// everything on the stream of a subscription does.
json::Payload mark_subscription(const json::Payload& params, const jsonrpc::Id& id);

}  // namespace fairlead::protocol
