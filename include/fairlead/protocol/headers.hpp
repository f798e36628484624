#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fairlead/base/result.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::protocol {

/// The HTTP header fields MCP has added, as it spells them, and those of others that it carries. Names compare without
/// case: same_header().
namespace header {
inline constexpr std::string_view protocol_version = "MCP-Protocol-Version";
inline constexpr std::string_view session_id = "Mcp-Session-Id";
inline constexpr std::string_view method = "Mcp-Method";
inline constexpr std::string_view name = "Mcp-Name";
inline constexpr std::string_view param_prefix = "Mcp-Param-";
inline constexpr std::string_view last_event_id = "Last-Event-ID";
inline constexpr std::string_view server_timing = "Server-Timing";
}  // namespace header

/// A field to send.
struct Header {
  std::string name;
  std::string value;

  bool operator==(const Header&) const = default;
};

/// A field that arrived; borrows from the message.
struct HeaderView {
  std::string_view name;
  std::string_view value;
};

constexpr bool same_header(std::string_view left, std::string_view right) {
  constexpr auto case_bit = 'a' ^ 'A';
  if (left.size() != right.size()) return false;
  std::size_t same = 0;
  if !consteval {
    // Eight at a time, as long as they are the same as they stand.
    for (std::uint64_t a = 0, b = 0; same + sizeof(a) <= left.size(); same += sizeof(a)) {
      std::memcpy(&a, left.data() + same, sizeof(a));
      std::memcpy(&b, right.data() + same, sizeof(b));
      if (a != b) break;
    }
  }
  for (std::size_t i = same; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    const auto lower = left[i] | case_bit;
    if ((left[i] ^ right[i]) != case_bit || lower < 'a' || lower > 'z') return false;
  }
  return true;
}

/// Without the optional white space of RFC 9110, section 5.6.3, at either end.
constexpr std::string_view trim_header(std::string_view value) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && is_space(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_space(value.back())) value.remove_suffix(1);
  return value;
}

/// The parameter that `Mcp-Name` mirrors for this method; nothing where the header has no place.
constexpr std::optional<std::string_view> routed_member(std::string_view method) {
  using Row = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Row, 6> rows{{{"tools/call", "name"},
                                     {"prompts/get", "name"},
                                     {"resources/read", "uri"},
                                     {"tasks/get", "taskId"},
                                     {"tasks/update", "taskId"},
                                     {"tasks/cancel", "taskId"}}};
  for (const auto& [known, member] : rows) {
    if (known == method) return member;
  }
  return std::nullopt;
}

/// The one value of a field, trimmed, or nothing. A field that came twice is Fault::header_mismatch: two readers could
/// pick two values.
Result<std::optional<std::string_view>> find_header(std::span<const HeaderView> headers, std::string_view name);

/// `Mcp-Method` and, where the method has one, `Mcp-Name`. `name` is the value of routed_member(), if the body has it.
std::vector<Header> routing_headers(std::string_view method, std::optional<std::string_view> name);

/// Whether `Mcp-Method` and `Mcp-Name` say what the body says; Fault::header_mismatch if not.
///
/// Without a `name` no `Mcp-Name` is asked for: the missing parameter is a fault of the body, for others to report.
/// Not for notifications, where no rule for these headers exists.
Result<void> check_routing_headers(std::span<const HeaderView> headers, std::string_view method,
                                   std::optional<std::string_view> name);

}  // namespace fairlead::protocol
