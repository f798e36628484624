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

/// Names of HTTP header fields that MCP defines or uses. Compare names with same_header(), which ignores case.
namespace header {
inline constexpr std::string_view protocol_version = "MCP-Protocol-Version";
inline constexpr std::string_view session_id = "Mcp-Session-Id";
inline constexpr std::string_view method = "Mcp-Method";
inline constexpr std::string_view name = "Mcp-Name";
inline constexpr std::string_view param_prefix = "Mcp-Param-";
inline constexpr std::string_view last_event_id = "Last-Event-ID";
inline constexpr std::string_view server_timing = "Server-Timing";
}  // namespace header

/// A header field to send.
struct Header {
  std::string name;
  std::string value;

  bool operator==(const Header&) const = default;
};

/// A received header field; views into the message.
struct HeaderView {
  std::string_view name;
  std::string_view value;
};

constexpr bool same_header(std::string_view left, std::string_view right) {
  constexpr auto case_bit = 'a' ^ 'A';
  if (left.size() != right.size()) return false;
  std::size_t same = 0;
  if !consteval {
    // Compares eight bytes at a time while they are identical.
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

/// Removes optional white space (RFC 9110, section 5.6.3) at both ends.
constexpr std::string_view trim_header(std::string_view value) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && is_space(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_space(value.back())) value.remove_suffix(1);
  return value;
}

/// The member of params that `Mcp-Name` repeats for this method; nothing if the method has no such header.
constexpr std::optional<std::string_view> mcp_name_member(std::string_view method) {
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

/// The trimmed value of a field, or nothing. Returns ProtocolError::header_mismatch if the field occurs twice, because
/// readers could use different values.
Result<std::optional<std::string_view>> find_header(std::span<const HeaderView> headers, std::string_view name);

/// `Mcp-Method` and, if the method has one, `Mcp-Name`. `name` is the body's value of the member mcp_name_member().
std::vector<Header> routing_headers(std::string_view method, std::optional<std::string_view> name);

/// Checks that `Mcp-Method` and `Mcp-Name` match the body; ProtocolError::header_mismatch otherwise.
///
/// Without a `name`, does not require `Mcp-Name`: the missing parameter is reported elsewhere. Not for notifications,
/// for which the specification has no such rule.
Result<void> check_routing_headers(std::span<const HeaderView> headers, std::string_view method,
                                   std::optional<std::string_view> name);

}  // namespace fairlead::protocol
