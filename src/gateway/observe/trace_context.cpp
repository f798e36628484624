#include "gateway/observe/trace_context.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/parse_number.hpp"
#include "crypto/random.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// version "-" trace-id "-" parent-id "-" flags
constexpr std::size_t first_dash = 2, second_dash = 35, third_dash = 52, traceparent_size = 55;

constexpr std::size_t max_tracestate_bytes = 4096;  // At least 512 bytes must be propagated.
constexpr std::ptrdiff_t max_states = 32;
constexpr std::size_t longest_state_part = 256;

bool is_low_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return hex_digits.find(c) != std::string_view::npos; });
}

bool is_id(std::string_view text) {
  return is_low_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

template <std::size_t n>
void fill_id(std::array<char, n>& id) {
  std::array<std::uint8_t, n / 2> bytes{};
  while (std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; })) {
    if (!crypto::fill_random(bytes)) throw std::runtime_error("no random numbers for a trace id");
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    id[2 * i] = hex_digits[bytes[i] / 16];
    id[2 * i + 1] = hex_digits[bytes[i] % 16];
  }
}

bool is_state_key(std::string_view key) {
  const auto starts = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const auto goes_on = [&](char c) { return starts(c) || std::string_view("_-*/@").find(c) != std::string_view::npos; };
  return !key.empty() && key.size() <= longest_state_part && starts(key.front()) && std::ranges::all_of(key, goes_on);
}

bool is_state_value(std::string_view value) {
  const auto fits = [](char c) { return c >= ' ' && c <= '~' && c != ',' && c != '='; };
  return !value.empty() && value.size() <= longest_state_part && value.back() != ' ' &&
         std::ranges::all_of(value, fits);
}

// Empty members are allowed, because senders join several headers.
bool is_state(std::string_view member) {
  const auto begin = member.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return true;
  member = member.substr(begin, member.find_last_not_of(" \t") - begin + 1);
  const auto equals = member.find('=');
  return equals != std::string_view::npos && is_state_key(member.substr(0, equals)) &&
         is_state_value(member.substr(equals + 1));
}

// Decided by the last 32 bits of the id, so that all participants decide alike.
bool is_chosen(const TraceContext& context, double share) {
  return parse_number<std::uint32_t>(context.trace_id().substr(24), 16).value_or(0) < share * 4294967296.0;
}

}  // namespace

std::optional<TraceContext> read_traceparent(std::string_view text) {
  if (text.size() < traceparent_size) return std::nullopt;
  const auto version = text.substr(0, first_dash);
  const auto trace = text.substr(first_dash + 1, 32);
  const auto span = text.substr(second_dash + 1, 16);
  const auto flags = text.substr(third_dash + 1, 2);
  if (text[first_dash] != '-' || text[second_dash] != '-' || text[third_dash] != '-') return std::nullopt;
  if (!is_low_hex(version) || version == "ff" || !is_id(trace) || !is_id(span) || !is_low_hex(flags)) {
    return std::nullopt;
  }
  const bool goes_on = text.size() > traceparent_size;
  if (goes_on && (version == "00" || text[traceparent_size] != '-')) return std::nullopt;
  TraceContext context;
  std::ranges::copy(trace, context.trace.begin());
  std::ranges::copy(span, context.span.begin());
  // Other flags are reserved for later versions.
  context.flags =
      parse_number<std::uint8_t>(flags, 16).value_or(0) & (TraceContext::sampled_flag | TraceContext::random_flag);
  return context;
}

std::string write_traceparent(const TraceContext& context) {
  std::string text = "00-";
  text.append(context.trace_id()).append("-").append(context.span_id()).append("-0");
  text += hex_digits[context.flags & 0xF];
  return text;
}

bool is_tracestate(std::string_view text) {
  if (text.size() > max_tracestate_bytes || std::ranges::count(text, ',') >= max_states) return false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    if (!is_state(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

TraceContext child_of(const TraceContext& parent) {
  TraceContext next = parent;
  fill_id(next.span);
  return next;
}

TraceContext new_trace(double share) {
  TraceContext context;
  fill_id(context.trace);
  fill_id(context.span);
  if (is_chosen(context, share)) context.flags |= TraceContext::sampled_flag;
  return context;
}

}  // namespace fairlead::gateway
