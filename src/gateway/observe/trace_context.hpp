#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// W3C Trace Context: the trace of a call and its parent span.
namespace fairlead::gateway {

/// Trace id, span id and flags. Ids are lower-case hex and never all zero.
struct TraceContext {
  std::array<char, 32> trace = {};
  std::array<char, 16> span = {};
  std::uint8_t flags = 0;

  static constexpr std::uint8_t sampled_flag = 1;
  /// The trace id is random (level 2); only its creator knows.
  static constexpr std::uint8_t random_flag = 2;

  std::string_view trace_id() const { return {trace.data(), trace.size()}; }
  std::string_view span_id() const { return {span.data(), span.size()}; }
  /// The creator of the trace requested sampling.
  bool sampled() const { return (flags & sampled_flag) != 0; }

  bool operator==(const TraceContext&) const = default;
};

/// Parses a `traceparent`. Reads later versions like version 00; nothing for invalid values.
std::optional<TraceContext> read_traceparent(std::string_view text);

/// Writes version 00.
std::string write_traceparent(const TraceContext& context);

/// True if a `tracestate` may be propagated.
bool is_tracestate(std::string_view text);

/// A child span in the same trace. Throws if the system has no random numbers.
TraceContext child_of(const TraceContext& parent);

/// The root span of a new trace, sampled with the probability `share`.
TraceContext new_trace(double share);

}  // namespace fairlead::gateway
