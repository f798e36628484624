#pragma once

#include <string>
#include <string_view>

namespace fairlead::json::schema {

/// A reference split at its `#`.
struct Reference {
  std::string document;
  std::string fragment;  ///< Percent-decoded.
};

Reference split_reference(std::string_view uri);

/// Unescapes one token of a JSON pointer: `~1` is `/`, `~0` is `~`.
std::string pointer_unescaped(std::string_view token);
std::string pointer_escaped(std::string_view name);

}  // namespace fairlead::json::schema
