#pragma once

#include <string_view>

/// The smallest picture and the shortest sound worth sending, in base64.
namespace fairlead::demo {

inline constexpr std::string_view png =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAGElEQVR42mP4//+/fP5rCMkAZwFJBpwyAJnhI7HWujsqAAAAAElFTkSuQmCC";
inline constexpr std::string_view wav =
    "UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YRAAAACAsNCwgFAwUICw0LCAUDBQ";
inline constexpr std::string_view icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E"
    "%3Ccircle cx='4' cy='4' r='3' fill='none' stroke='%231f6feb'/%3E%3C/svg%3E";

}  // namespace fairlead::demo
