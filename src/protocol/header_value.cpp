#include <fairlead/protocol/header_value.hpp>

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/base/utf8.hpp>

namespace fairlead::protocol {
namespace {

constexpr std::string_view sentinel_opening = "=?base64?";
constexpr std::string_view sentinel_closing = "?=";

bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}

}  // namespace

bool needs_sentinel(std::string_view value) {
  if (value.starts_with(' ') || value.ends_with(' ')) return true;
  // Also if the markers overlap in their question mark: decoders disagree whether that is a sentinel.
  if (value.starts_with(sentinel_opening) && value.ends_with(sentinel_closing)) return true;
  return !std::ranges::all_of(value, is_printable);
}

std::string encode_header_value(std::string_view value) {
  if (!needs_sentinel(value)) return std::string(value);
  return std::string(sentinel_opening).append(base64_encode(value)).append(sentinel_closing);
}

Result<std::string> decode_header_value(std::string_view value) {
  const bool marked = value.size() >= sentinel_opening.size() + sentinel_closing.size() &&
                      value.starts_with(sentinel_opening) && value.ends_with(sentinel_closing);
  if (!marked) {
    if (std::ranges::all_of(value, is_printable)) return std::string(value);
    return fail(ErrorKind::malformed, "a header value outside printable ASCII must be sent as =?base64?…?=");
  }
  value.remove_prefix(sentinel_opening.size());
  value.remove_suffix(sentinel_closing.size());
  auto text = base64_decode(value);
  if (text && !is_utf8(*text)) return fail(ErrorKind::malformed, "the base64 of a header value must hold UTF-8");
  return text;
}

}  // namespace fairlead::protocol
