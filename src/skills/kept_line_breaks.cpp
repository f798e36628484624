#include "skills/kept_line_breaks.hpp"

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"

namespace fairlead::skills {
namespace {

std::string_view next_line(std::string_view& rest) {
  const auto end = std::min(rest.find('\n'), rest.size());
  const auto line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

// Anchors and tags stand in front of the value.
std::string_view without_properties(std::string_view text) {
  while (text.starts_with('&') || text.starts_with('!')) {
    text.remove_prefix(std::min(text.find_first_of(" \n"), text.size()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return text;
}

/// Counts the blank lines that end the block at the start of `rest`. Nothing if it has no text.
std::optional<std::size_t> blank_lines_at_end(std::string_view rest, std::size_t indentation) {
  std::size_t blank = 0;
  bool has_text = false;
  while (!rest.empty()) {
    const auto line = next_line(rest);
    const auto indented = line.find_first_not_of(' ');
    if (indented == std::string_view::npos) {
      ++blank;
      continue;
    }
    if (!has_text && indentation == 0) indentation = indented;
    if (indented == 0 || indented < indentation) break;
    has_text = true;
    blank = 0;
  }
  return has_text ? std::optional(blank) : std::nullopt;
}

}  // namespace

std::string with_kept_line_breaks(std::string value, std::string_view yaml, std::size_t position) {
  if (position >= yaml.size()) return value;
  auto rest = without_properties(yaml.substr(position));
  if (!rest.starts_with('>')) return value;
  const auto whole_header = next_line(rest);
  const auto header = whole_header.substr(0, whole_header.find(' '));
  if (header.find('+') == std::string_view::npos) return value;
  std::size_t indentation = 0;
  if (const auto digit = std::ranges::find_if(header, ascii::is_digit); digit != header.end()) {
    const auto line_start = yaml.rfind('\n', position) + 1;
    indentation = yaml.find_first_not_of(' ', line_start) - line_start + static_cast<std::size_t>(*digit - '0');
  }
  const auto blank = blank_lines_at_end(rest, indentation);
  if (blank.value_or(0) == 0) return value;
  value.resize(value.find_last_not_of('\n') + 1);
  return value.append(*blank + 1, '\n');
}

}  // namespace fairlead::skills
