#pragma once

#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/message.hpp>

#include "gateway/observe/trace_context.hpp"

namespace fairlead::gateway {

/// Trace fields of a request, from `_meta` or from headers of the same names.
struct TraceFields {
  std::optional<TraceContext> parent = {};
  std::string state = {};    ///< Empty without a parent or if invalid.
  std::string baggage = {};  ///< Not interpreted.
};

TraceFields trace_in_meta(const json::Payload& params);
TraceFields trace_in_headers(const std::shared_ptr<const jsonrpc::MessageHeaders>& headers);

/// Sets the fields in the `_meta` of params and keeps all other bytes. Existing baggage is kept. Nothing if params are
/// not an object.
std::optional<json::Payload> with_trace(const json::Payload& params, const TraceFields& fields);

/// Replaces the trace headers.
std::shared_ptr<const jsonrpc::MessageHeaders> with_trace(const std::shared_ptr<const jsonrpc::MessageHeaders>& headers,
                                                          const TraceFields& fields);

}  // namespace fairlead::gateway
