#include "json/schema/utf8.hpp"

#include <algorithm>

namespace fairlead::json::schema {

namespace {

constexpr char32_t replacement = 0xFFFD;

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::size_t length_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

}  // namespace

char32_t consume_code_point(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const auto length = length_by_first(first);
  const auto tail = text.substr(1, length == 0 ? 0 : length - 1);
  const bool whole = length != 0 && tail.size() == length - 1 && std::ranges::all_of(tail, continues);
  text.remove_prefix(whole ? length : 1);
  if (!whole) return replacement;
  char32_t point = length == 1 ? first : first & (0x7FU >> length);
  for (const char byte : tail) point = (point << 6) | (static_cast<unsigned char>(byte) & 0x3FU);
  return point;
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> points;
  while (!text.empty()) points.push_back(consume_code_point(text));
  return points;
}

std::size_t count_code_points(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

}  // namespace fairlead::json::schema
