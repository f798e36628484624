#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead::skills {

/// Completes the value of the scalar at `position` of a YAML text. yaml-cpp 0.7 loses a line break after a folded block
/// that keeps them (`>+`) if blank lines follow its text.
std::string with_kept_line_breaks(std::string value, std::string_view yaml, std::size_t position);

}  // namespace fairlead::skills
