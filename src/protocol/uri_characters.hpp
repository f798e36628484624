#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead::protocol {

/// RFC 3986, section 2.
bool is_unreserved(char c);
bool is_reserved(char c);

void append_triplet(std::string& out, char byte);

/// Appends `text` with everything escaped but unreserved characters, and with `reserved` also reserved characters and
/// escapes that are there already.
void append_escaped(std::string& out, std::string_view text, bool reserved);

/// The URI with its escapes in capitals and other scripts escaped, so that equal URIs are equal bytes; nothing if a
/// character or an escape is not one.
std::optional<std::string> normalized_uri(std::string_view uri);

/// The bytes a normalized text stands for. With `keep_reserved`, escapes of `%` and of reserved characters stay.
std::string unescaped(std::string_view text, bool keep_reserved);

}  // namespace fairlead::protocol
