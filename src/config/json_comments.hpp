#pragma once

#include <string>

namespace fairlead::config {

/// Replaces comments and trailing commas, which editors allow in JSON, by spaces. Offsets do not change.
std::string without_comments(std::string text);

}  // namespace fairlead::config
