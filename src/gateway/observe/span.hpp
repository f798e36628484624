#pragma once

#include <utility>
#include <vector>

#include "gateway/observe/observer.hpp"
#include "gateway/observe/trace_context.hpp"

namespace fairlead {
class Redactor;
}

namespace fairlead::gateway {

/// One span of a trace.
struct Span {
  TraceContext context = {};
  std::optional<std::array<char, 16>> parent = {};
  std::string state = {};  ///< Received `tracestate`.
  std::string name = {};
  Hop hop = Hop::front;
  std::uint64_t start = 0;  ///< Unix time in nanoseconds.
  std::uint64_t end = 0;
  std::vector<std::pair<std::string_view, std::string>> attributes = {};  ///< Names are string literals.
  bool failed = false;
  std::string message = {};  ///< Error message.
};

/// Sets name, attributes and status by the OpenTelemetry conventions for MCP.
void fill_span(Span& span, const CallRecord& record, const session::Call& call, const Redactor& redactor);

}  // namespace fairlead::gateway
