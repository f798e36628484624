#pragma once

#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/observe/trace_context.hpp"

namespace fairlead::gateway {

/// What a request says of its trace, in `_meta` or in header fields of the same names.
struct TraceFields {
  std::optional<TraceContext> parent = {};
  std::string state = {};    ///< Empty without a parent, or where it may not be passed on.
  std::string baggage = {};  ///< Not looked into.
};

TraceFields trace_in_meta(const json::Payload& params);
TraceFields trace_in_luggage(const std::shared_ptr<const jsonrpc::Luggage>& luggage);

/// The request's params with this in their `_meta`; every other byte stays. What they say of baggage themselves stays
/// too. Nothing where there is no place for it, as in params that are no object.
std::optional<json::Payload> with_trace(const json::Payload& params, const TraceFields& fields);

/// The luggage with this instead of what it said of a trace.
std::shared_ptr<const jsonrpc::Luggage> with_trace(const std::shared_ptr<const jsonrpc::Luggage>& luggage,
                                                   const TraceFields& fields);

}  // namespace fairlead::gateway
