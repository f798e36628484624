#include "transport/header_line.hpp"

#include <algorithm>
#include <fairlead/transport/json_extent.hpp>

namespace fairlead::transport {
namespace {

constexpr std::string_view length_name = "content-length:";
constexpr std::string_view type_name = "content-type:";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

Sniff sniff(std::string_view text, std::string_view name) {
  const std::size_t size = std::min(text.size(), name.size());
  if (!std::ranges::equal(text.substr(0, size), name.substr(0, size), {}, lower)) return Sniff::no;
  return size == name.size() ? Sniff::yes : Sniff::maybe;
}

// How long the value is that `text` starts with; 0 if none does, or not all of it.
std::size_t value_size(std::string_view text) {
  if (text.empty() || !opens_value(text.front())) return 0;
  JsonExtent extent;
  const std::size_t size = extent.walk(text);
  return extent.state() == JsonExtent::State::closed ? size : 0;
}

}  // namespace

Sniff sniff_header(std::string_view text) {
  return std::max(sniff(text, length_name), sniff(text, type_name));
}

const char* count_value(std::string_view line) {
  return sniff(line, length_name) == Sniff::yes ? line.data() + length_name.size() : nullptr;
}

bool is_whole_value(std::string_view text) {
  const std::size_t size = value_size(text);
  return size != 0 && trimmed(text.substr(size)).empty();
}

std::size_t size_before_header(std::string_view line) {
  // A line that ends as a value does is left to whoever reads it.
  const auto text = trimmed(line);
  if (text.empty() || !opens_value(text.front()) || text.back() == '}' || text.back() == ']') return 0;
  const std::size_t size = value_size(line);
  return size != 0 && sniff_header(trimmed(line.substr(size))) == Sniff::yes ? size : 0;
}

}  // namespace fairlead::transport
