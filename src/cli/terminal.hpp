#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead::cli {

/// Properties of the terminal at stdout.
struct Screen {
  bool is_terminal = false;
  bool colours = false;               ///< On a terminal, unless NO_COLOR is set or TERM is dumb.
  std::size_t columns = 0, rows = 0;  ///< 0 for no limit.
};

Screen screen();

/// Width of a text. Counts one column per character; wide characters are not handled.
std::size_t columns_of(std::string_view text);

/// Truncates a text to this many columns; ends with `…` if truncated.
std::string ellipsize(std::string_view text, std::size_t columns);

/// Truncates a text or pads it with spaces to exactly this many columns.
std::string pad_to_columns(std::string_view text, std::size_t columns);

enum class Colour : unsigned char { none, dim, bold, red, green, yellow, cyan };

std::string coloured(std::string text, Colour colour);

}  // namespace fairlead::cli
