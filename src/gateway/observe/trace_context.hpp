#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// W3C Trace Context: which trace a call belongs to, and what in it was there just before.
namespace fairlead::gateway {

/// A place in a trace. Ids are kept as they travel: lower-case hex, never all zero.
struct TraceContext {
  std::array<char, 32> trace = {};
  std::array<char, 16> span = {};
  std::uint8_t flags = 0;

  static constexpr std::uint8_t sampled_flag = 1;
  /// That the trace's id is random (level 2), which only its maker knows.
  static constexpr std::uint8_t random_flag = 2;

  std::string_view trace_id() const { return {trace.data(), trace.size()}; }
  std::string_view span_id() const { return {span.data(), span.size()}; }
  /// Whoever began the trace wants to see it.
  bool sampled() const { return (flags & sampled_flag) != 0; }

  bool operator==(const TraceContext&) const = default;
};

/// The value of a `traceparent`. Of versions to come, what version 00 has of them is read; nothing for what is none.
std::optional<TraceContext> read_traceparent(std::string_view text);

/// In version 00, whatever it came in.
std::string write_traceparent(const TraceContext& context);

/// Whether the value of a `tracestate` may be passed on; a trace goes on without one that may not.
bool is_tracestate(std::string_view text);

/// Another place in the same trace. Throws if the machine has no randomness.
TraceContext next_in(const TraceContext& parent);

/// The first place of a trace of its own, wanted with the probability `share`; what comes after follows suit.
TraceContext new_trace(double share);

}  // namespace fairlead::gateway
