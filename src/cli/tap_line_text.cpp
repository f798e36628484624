#include "cli/tap_line_text.hpp"

#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>

#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

using gateway::LineKind;
using gateway::Sender;
using gateway::TapLine;

// If stdout is not a terminal.
constexpr std::size_t default_body_columns = 160;

struct TapCell {
  std::string text;
  std::size_t columns;  // Minimum width; on a terminal also the maximum.
  Colour colour = Colour::none;
  bool right = false;
};

std::string who_of(const TapLine& line) {
  const auto name = line.caller ? line.caller : line.client;
  return fmt::format("#{}{}{}", line.session, name ? " " : "", name.value_or(""));
}

std::string what_of(const TapLine& line) {
  if (line.kind == LineKind::open) return "(connected)";
  if (line.kind == LineKind::close) return "(disconnected)";
  auto what = line.method.value_or("");
  for (const auto& about : {line.tool, line.prompt, line.resource}) {
    if (about) what += " " + *about;
  }
  if (line.server && *line.server != line.endpoint) what += " @" + *line.server;
  return what;
}

Colour colour_of(const TapLine& line) {
  if (!line.status) return Colour::none;
  if (*line.status == "ok") return Colour::green;
  return *line.status == "cancelled" ? Colour::yellow : Colour::red;
}

std::string body_of(const TapLine& line, bool full) {
  if (line.error) {
    const auto data = line.error->data ? " " + std::string(line.error->data->text()) : "";
    return fmt::format("{}{}{}", line.error->code == 0 ? "" : fmt::format("{}: ", line.error->code),
                       line.error->message, data);
  }
  if (line.result) return std::string(line.result->text());
  if (!line.params) return {};
  // The tool's name is in its own column.
  const auto arguments = json::member_of(line.params->text(), "arguments");
  const bool is_call = line.tool && line.kind == LineKind::call;
  return std::string(is_call && !full ? arguments : line.params->text());
}

// A narrower terminal shows fewer columns; on a wider one a quarter is for method and target.
constexpr std::size_t wide_terminal = 120;

bool is_narrow(const Screen& screen) {
  return screen.columns != 0 && screen.columns < wide_terminal;
}

std::size_t columns_for_what(const Screen& screen) {
  constexpr std::size_t least = 34, most = 60;
  return is_narrow(screen) ? 26 : std::clamp(screen.columns / 4, least, most);
}

std::vector<TapCell> cells_of(const TapLine& line, const Screen& screen) {
  constexpr std::size_t clock_at = 11, clock_size = 12;
  const auto clock = line.time.size() >= clock_at ? line.time.substr(clock_at, clock_size) : line.time;
  const bool narrow = is_narrow(screen);
  std::vector<TapCell> cells{
      {clock, narrow ? 8U : clock_size, Colour::dim},
      {line.from == Sender::client ? "→" : "←", 1, line.from == Sender::client ? Colour::cyan : Colour::none},
      {who_of(line), narrow ? 8U : 14U},
      {what_of(line), columns_for_what(screen), Colour::bold},
      {line.id ? "id=" + line.id->to_json() : "", 7, Colour::dim},
      {line.status.value_or(""), 10, colour_of(line)},
      {line.ms ? show_milliseconds(*line.ms) : "", 9, Colour::none, true},
      {line.bytes != 0 ? show_bytes(line.bytes) : "", 8, Colour::dim, true}};
  if (!narrow) return cells;
  constexpr std::size_t id = 4;
  cells.front().text = clock.substr(0, 8);
  cells.pop_back();
  cells.erase(cells.begin() + id);
  return cells;
}

std::string shown_cell(const TapCell& cell, const Screen& screen) {
  auto text = escape_for_terminal(cell.text);
  text = pad_to_columns(text, screen.columns == 0 ? std::max(cell.columns, columns_of(text)) : cell.columns);
  if (cell.right) {
    const auto end = text.find_last_not_of(' ') + 1;
    std::ranges::rotate(text, text.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return screen.colours ? coloured(std::move(text), cell.colour) : text;
}

}  // namespace

std::string show_bytes(std::uint64_t bytes) {
  constexpr double step = 1000;
  const auto count = static_cast<double>(bytes);
  if (count < step) return fmt::format("{} B", bytes);
  return count < step * step ? fmt::format("{:.1f} kB", count / step) : fmt::format("{:.1f} MB", count / step / step);
}

std::string show_milliseconds(double milliseconds) {
  if (milliseconds < 10) return fmt::format("{:.2f} ms", milliseconds);
  if (milliseconds < 1000) return fmt::format("{:.1f} ms", milliseconds);
  return fmt::format("{:.2f} s", milliseconds / 1000);
}

std::string to_text(const TapLine& line, const TapStyle& style) {
  std::string text;
  std::size_t used = 0;
  for (const auto& cell : cells_of(line, style.screen)) {
    text += shown_cell(cell, style.screen) + " ";
    used += cell.columns + 1;
  }
  auto body = escape_for_terminal(body_of(line, style.full));
  std::ranges::replace(body, '\n', ' ');
  if (style.full) return text + " " + body;
  const auto width = style.screen.columns;
  const auto left = width == 0 ? default_body_columns : width > used + 1 ? width - used - 1 : 0;
  text += " " + ellipsize(body, left);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace fairlead::cli
