#pragma once

#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>

namespace fairlead::protocol {

/// Adds the subscription id to the `_meta` of params, in the JSON type of the id of the request that opened the
/// subscription. Required for every message on a subscription stream.
json::Payload with_subscription_id(const json::Payload& params, const jsonrpc::Id& id);

}  // namespace fairlead::protocol
