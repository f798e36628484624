#pragma once

#include <fairlead/base/result.hpp>
#include <string_view>

/// Encoding of `Mcp-Name` and `Mcp-Param-…` values: verbatim if possible, otherwise as the sentinel form
/// `=?base64?<standard base64 of its UTF-8>?=`.
namespace fairlead::protocol {

/// True if a value must be encoded: it has a byte outside 0x20–0x7E, a space at either end, or looks like a sentinel.
bool needs_sentinel(std::string_view value);

std::string encode_header_value(std::string_view value);

/// Decodes a trimmed header value. With both markers it must be strict base64 of UTF-8; with one or none it is literal
/// and must be printable ASCII. Returns `malformed` otherwise.
Result<std::string> decode_header_value(std::string_view value);

}  // namespace fairlead::protocol
