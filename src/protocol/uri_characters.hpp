#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::protocol {

/// Character classes of RFC 3986, section 2.
bool is_unreserved(char c);
bool is_reserved(char c);

void append_percent_encoded(std::string& out, char byte);

/// Appends `text` percent-encoded except for unreserved characters; with `reserved`, also keeps reserved characters and
/// existing escapes.
void append_escaped(std::string& out, std::string_view text, bool reserved);

/// Normalizes a URI so that equal URIs are equal bytes: escapes in upper case, non-ASCII characters escaped. Returns
/// nothing if it contains an invalid character or escape.
std::optional<std::string> normalized_uri(std::string_view uri);

/// Percent-decodes a normalized text. With `keep_reserved`, keeps escapes of `%` and of reserved characters.
std::string unescaped(std::string_view text, bool keep_reserved);

}  // namespace fairlead::protocol
