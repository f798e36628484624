#include "cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fairlead/base/utf8.hpp>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace fairlead::cli {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

Screen screen() {
  Screen screen{.is_terminal = ::isatty(STDOUT_FILENO) == 1};
  if (!screen.is_terminal) return screen;
  // https://no-color.org
  screen.colours = !is_set("NO_COLOR") && !is_dumb();
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    screen.columns = size.ws_col;
    screen.rows = size.ws_row;
  }
  return screen;
}

std::string ellipsize(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t at = 0;
  for (std::size_t left = columns - 1; left > 0; --left) at += std::max<std::size_t>(utf8_length(text, at), 1);
  return std::string(text.substr(0, at)) + "…";
}

std::string pad_to_columns(std::string_view text, std::size_t columns) {
  auto cut = ellipsize(text, columns);
  cut.append(columns - std::min(columns, columns_of(cut)), ' ');
  return cut;
}

std::string coloured(std::string text, Colour colour) {
  constexpr auto codes = std::to_array<int>({0, 2, 1, 31, 32, 33, 36});
  if (colour == Colour::none) return text;
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(colour)], text);
}

}  // namespace fairlead::cli
