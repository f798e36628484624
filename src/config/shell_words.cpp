#include "config/shell_words.hpp"

#include <fmt/format.h>

namespace fairlead::config {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_word_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// End of the unit at `at`: a quoted string, a variable, an escape or one character. npos if it is not closed.
std::size_t end_of_unit(std::string_view text, std::size_t at) {
  if (text[at] == '\\') return at + 2 <= text.size() ? at + 2 : npos;
  if (text.substr(at, 2) == "${") {
    const auto end = text.find('}', at);
    return end == npos ? npos : end + 1;
  }
  if (text[at] != '"' && text[at] != '\'') return at + 1;
  for (auto end = at + 1; end < text.size(); ++end) {
    if (text[end] == text[at]) return end + 1;
    if (text[end] == '\\' && text[at] == '"') ++end;
  }
  return npos;
}

SyntaxError unended(std::string_view text, std::size_t at) {
  const auto what = text.substr(at, text[at] == '$' ? 2 : 1);
  return {at, fmt::format("the {} is not closed", what)};
}

// Appends the unquoted unit.
void append_meaning(std::string& out, std::string_view unit) {
  const char first = unit.front();
  if (first == '\\') {
    out += unit.substr(1);
  } else if (first == '\'' && unit.size() > 1) {
    out += unit.substr(1, unit.size() - 2);
  } else if (first == '"' && unit.size() > 1) {
    for (std::size_t at = 1; at + 1 < unit.size(); ++at) {
      const bool escape = unit[at] == '\\' && (unit[at + 1] == '"' || unit[at + 1] == '\\');
      out += unit[escape ? ++at : at];
    }
  } else {
    out += unit;
  }
}

Token trimmed(std::string_view line, std::size_t begin, std::size_t end) {
  while (begin < end && is_word_space(line[begin])) ++begin;
  while (end > begin && is_word_space(line[end - 1])) --end;
  return {std::string(line.substr(begin, end - begin)), begin};
}

}  // namespace

Parsed<std::vector<Token>> split(std::string_view line, char separator) {
  std::vector<Token> pieces;
  std::vector<std::size_t> open;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size();) {
    const auto end = end_of_unit(line, at);
    if (end == npos) return std::unexpected(unended(line, at));
    if (line[at] == '(') open.push_back(at);
    if (line[at] == ')' && !open.empty()) open.pop_back();
    if (line[at] == separator && open.empty()) {
      pieces.push_back(trimmed(line, begin, at));
      begin = at + 1;
    }
    at = end;
  }
  if (!open.empty()) return std::unexpected(unended(line, open.back()));
  pieces.push_back(trimmed(line, begin, line.size()));
  return pieces;
}

Parsed<std::vector<Token>> split_words(std::string_view line) {
  std::vector<Token> words;
  bool inside = false;
  for (std::size_t at = 0; at < line.size();) {
    const auto end = end_of_unit(line, at);
    if (end == npos) return std::unexpected(unended(line, at));
    const bool space = is_word_space(line[at]);
    if (!space && !inside) words.push_back({"", at});
    if (!space) append_meaning(words.back().text, line.substr(at, end - at));
    inside = !space;
    at = end;
  }
  return words;
}

Parsed<std::string> unquote(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = end_of_unit(text, at);
    if (end == npos) return std::unexpected(unended(text, at));
    append_meaning(out, text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::size_t find_outside(std::string_view text, char wanted) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == wanted) return at;
    const auto end = end_of_unit(text, at);
    if (end == npos) return npos;
    at = end;
  }
  return npos;
}

}  // namespace fairlead::config
