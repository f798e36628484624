#pragma once

#include <string>

namespace fairlead::gateway {

/// Turns the comments and trailing commas that editors allow in their JSON into spaces: every byte stays in its place.
std::string without_comments(std::string text);

}  // namespace fairlead::gateway
