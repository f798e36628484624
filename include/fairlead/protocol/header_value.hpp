#pragma once

#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>

/// How `Mcp-Name` and `Mcp-Param-…` carry any text: as it is where a header can hold it, else as
/// `=?base64?<standard base64 of its UTF-8>?=`.
namespace fairlead::protocol {

/// Whether a value cannot travel as it is: a byte outside 0x20–0x7E, a space at either end, or the look of a sentinel.
bool needs_sentinel(std::string_view value);

std::string encode_header_value(std::string_view value);

/// The text a trimmed header value stands for. A value with only one of the two markers is literal; one with both must
/// be strict base64 of UTF-8, and a literal one printable ASCII, or it is `malformed`.
Result<std::string> decode_header_value(std::string_view value);

}  // namespace fairlead::protocol
