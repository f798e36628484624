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

/// True if the bytes of two words are the same, except for the case of ASCII letters.
constexpr bool same_letters(std::uint64_t left, std::uint64_t right) {
  constexpr std::uint64_t ones = 0x0101010101010101, case_bits = ones * ('a' ^ 'A'), tops = ones * 0x80;
  if (left == right) return true;
  const auto lower = left | case_bits, bits = lower & ~tops;
  // The top bit of each byte that is a letter.
  const auto letters = (bits + ones * (0x80 - 'a')) & ~(bits + ones * (0x7f - 'z')) & ~lower & tops;
  return ((left ^ right) & ~(letters >> 2)) == 0;
}

constexpr bool same_header(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  std::size_t at = 0;
  if !consteval {
    const auto same_words = [&]<class Word>(std::size_t from, Word a) {
      Word b = 0;
      std::memcpy(&a, left.data() + from, sizeof(a));
      std::memcpy(&b, right.data() + from, sizeof(b));
      return same_letters(a, b);
    };
    for (; at + 8 <= left.size(); at += 8) {
      if (!same_words(at, std::uint64_t{0})) return false;
    }
    // The last word overlaps the one before.
    if (at != 0) return at == left.size() || same_words(left.size() - 8, std::uint64_t{0});
    if (left.size() >= 4) return same_words(0, std::uint32_t{0}) && same_words(left.size() - 4, std::uint32_t{0});
  }
  for (; at < left.size(); ++at) {
    if (!same_letters(static_cast<unsigned char>(left[at]), static_cast<unsigned char>(right[at]))) return false;
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
