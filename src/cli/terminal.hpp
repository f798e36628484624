#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fairlead::cli {

/// What stdout can show.
struct Screen {
  bool is_terminal = false;
  bool colours = false;               ///< On a terminal, unless NO_COLOR is set or it is a dumb one.
  std::size_t columns = 0, rows = 0;  ///< 0 for no limit.
};

Screen screen();

/// Characters count as one column each, which is right for most.
std::size_t columns_of(std::string_view text);

/// The beginning of a text, in as many columns; `…` tells that there is more.
std::string shortened(std::string_view text, std::size_t columns);

/// As many columns as are asked for, filled with spaces or cut.
std::string in_columns(std::string_view text, std::size_t columns);

enum class Colour : unsigned char { none, dim, bold, red, green, yellow, cyan };

std::string coloured(std::string text, Colour colour);

}  // namespace fairlead::cli
