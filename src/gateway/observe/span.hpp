#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/observe/observer.hpp"
#include "gateway/observe/trace_context.hpp"

namespace fairlead {
class Redactor;
}

namespace fairlead::gateway {

/// What one hop of a call was, for who collects traces.
struct Span {
  TraceContext context = {};
  std::optional<std::array<char, 16>> parent = {};
  std::string state = {};  ///< The `tracestate` that came with it.
  std::string name = {};
  Hop hop = Hop::front;
  std::uint64_t begun = 0;  ///< Nanoseconds since 1970.
  std::uint64_t ended = 0;
  std::vector<std::pair<std::string_view, std::string>> attributes = {};  ///< Names are literals.
  bool failed = false;
  std::string message = {};  ///< Why.
};

/// Fills in what a call was and how it ended, by the names that OpenTelemetry has given these things for MCP.
void describe_hop(Span& span, const Sight& sight, const session::Call& call, const Redactor& redactor);

}  // namespace fairlead::gateway
