#include "transport/header_line.hpp"

#include <algorithm>

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

}  // namespace

Sniff sniff_header(std::string_view text) {
  return std::max(sniff(text, length_name), sniff(text, type_name));
}

const char* count_value(std::string_view line) {
  return sniff(line, length_name) == Sniff::yes ? line.data() + length_name.size() : nullptr;
}

}  // namespace fairlead::transport
