#pragma once

#include <cstddef>
#include <cstring>
#include <fairlead/base/result.hpp>
#include <optional>
#include <span>
#include <string_view>
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

/// The top bit of each byte of the word that is an ASCII letter.
constexpr std::uint64_t letters_in(std::uint64_t word) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones * 0x80;
  const auto lower = (word | ones * ('a' ^ 'A')) & ~tops;
  return (lower + ones * (0x80 - 'a')) & ~(lower + ones * (0x7f - 'z')) & ~word & tops;
}

/// True if the bytes of two words are the same, except for the case of letters.
constexpr bool same_letters(std::uint64_t left, std::uint64_t right) {
  return left == right || ((left ^ right) & ~(letters_in(left) >> 2)) == 0;
}

/// True if two texts of the same size are the same, except for the case of letters.
constexpr bool same_text(const char* left, const char* right, std::size_t size) {
  if !consteval {
    const auto same_words = [=]<class Word>(std::size_t at, Word a) {
      Word b = 0;
      std::memcpy(&a, left + at, sizeof(a));
      std::memcpy(&b, right + at, sizeof(b));
      return same_letters(a, b);
    };
    if (size >= 8) {
      for (std::size_t at = 0; at + 8 < size; at += 8) {
        if (!same_words(at, std::uint64_t{0})) return false;
      }
      return same_words(size - 8, std::uint64_t{0});  // May overlap the word before.
    }
    if (size >= 4) return same_words(0, std::uint32_t{0}) && same_words(size - 4, std::uint32_t{0});
  }
  for (std::size_t at = 0; at < size; ++at) {
    if (!same_letters(static_cast<unsigned char>(left[at]), static_cast<unsigned char>(right[at]))) return false;
  }
  return true;
}

constexpr bool same_header(std::string_view left, std::string_view right) {
  return left.size() == right.size() && same_text(left.data(), right.data(), left.size());
}

/// Removes optional white space (RFC 9110, section 5.6.3) at both ends.
constexpr std::string_view trim_header(std::string_view value) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!value.empty() && is_space(value.front())) value.remove_prefix(1);
  while (!value.empty() && is_space(value.back())) value.remove_suffix(1);
  return value;
}

/// The member of params that `Mcp-Name` repeats for this method, which may be of an extension; nothing if the method
/// has no such header.
std::optional<std::string_view> mcp_name_member(std::string_view method);

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
