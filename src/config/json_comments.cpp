#include "config/json_comments.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fairlead::config {
namespace {

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// Returns the end of the comment at `at`, or `at` if there is none.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  const auto start = text.substr(at, 2);
  if (start == "//") return std::min(text.find('\n', at), text.size());
  if (start != "/*") return at;
  const auto end = text.find("*/", at + 2);
  return end == std::string_view::npos ? text.size() : end + 2;
}

bool is_json_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

std::string without_comments(std::string text) {
  std::optional<std::size_t> comma;
  for (std::size_t at = 0; at < text.size();) {
    if (const auto end = end_of_comment(text, at); end != at) {
      const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
      std::replace_if(from, text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
      at = end;
    } else if (text[at] == '"') {
      comma.reset();
      at = end_of_string(text, at);
    } else {
      if ((text[at] == '}' || text[at] == ']') && comma) text[*comma] = ' ';
      if (!is_json_space(text[at])) comma.reset();
      if (text[at] == ',') comma = at;
      ++at;
    }
  }
  return text;
}

}  // namespace fairlead::config
