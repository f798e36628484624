#pragma once

#include <string>
#include <string_view>

namespace fairlead::json::schema {

/// A reference split at its `#`.
struct Reference {
  std::string document;
  std::string fragment;  ///< Percent-decoded.
};

/// Resolves a reference (RFC 3986, section 5.2, without fragments). With an empty base, returns it unchanged.
std::string resolve_uri(std::string_view base, std::string_view reference);

Reference split_reference(std::string_view uri);

std::string percent_decoded(std::string_view text);

/// Unescapes one token of a JSON pointer: `~1` is `/`, `~0` is `~`.
std::string pointer_unescaped(std::string_view token);
std::string pointer_escaped(std::string_view name);

}  // namespace fairlead::json::schema
