#pragma once

#include <string>
#include <string_view>

namespace fairlead::skills {

/// A scalar of YAML: text, or the JSON of a number, a boolean or null.
struct Scalar {
  bool is_text = true;
  std::string value = {};

  std::string json() const;
  /// As the name of a member: null is the empty text, as in JavaScript.
  std::string key() const { return !is_text && value == "null" ? "" : value; }
};

/// Resolves a plain scalar by the core schema of YAML 1.2 (section 10.3.2).
Scalar resolve_plain_scalar(std::string_view text);

}  // namespace fairlead::skills
