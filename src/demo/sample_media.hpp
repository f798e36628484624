#pragma once

#include <string_view>

/// Samples: a text, and in base64 a small image and a short sound.
namespace fairlead::demo {

inline constexpr std::string_view welcome_text = "Welcome! This server shows each feature of MCP once.\n";
inline constexpr std::string_view png =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAGElEQVR42mP4//+/fP5rCMkAZwFJBpwyAJnhI7HWujsqAAAAAElFTkSuQmCC";
inline constexpr std::string_view wav =
    "UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YRAAAACAsNCwgFAwUICw0LCAUDBQ";
inline constexpr std::string_view icon =
    "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%208%208'%3E"
    "%3Ccircle%20cx='4'%20cy='4'%20r='3'%20fill='none'%20stroke='%231f6feb'/%3E%3C/svg%3E";

}  // namespace fairlead::demo
