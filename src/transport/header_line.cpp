#include "transport/header_line.hpp"

#include <algorithm>
#include <fairlead/transport/json_boundary_scanner.hpp>

#include "base/ascii.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view length_name = "content-length:";
constexpr std::string_view type_name = "content-type:";

HeaderMatch sniff(std::string_view text, std::string_view name) {
  const std::size_t size = std::min(text.size(), name.size());
  if (!std::ranges::equal(text.substr(0, size), name.substr(0, size), {}, ascii::lower)) return HeaderMatch::no;
  return size == name.size() ? HeaderMatch::yes : HeaderMatch::maybe;
}

// Size of the value that `text` starts with; 0 if there is no complete one.
std::size_t value_size(std::string_view text) {
  if (text.empty() || !opens_value(text.front())) return 0;
  JsonBoundaryScanner scanner;
  const std::size_t size = scanner.walk(text);
  return scanner.state() == JsonBoundaryScanner::ScanState::closed ? size : 0;
}

}  // namespace

HeaderMatch match_header(std::string_view text) {
  return std::max(sniff(text, length_name), sniff(text, type_name));
}

const char* count_value(std::string_view line) {
  return sniff(line, length_name) == HeaderMatch::yes ? line.data() + length_name.size() : nullptr;
}

bool is_whole_value(std::string_view text) {
  const std::size_t size = value_size(text);
  return size != 0 && trimmed(text.substr(size)).empty();
}

std::size_t size_before_header(std::string_view line) {
  // A line that ends like a value is left to the parser.
  const auto text = trimmed(line);
  if (text.empty() || !opens_value(text.front()) || text.back() == '}' || text.back() == ']') return 0;
  const std::size_t size = value_size(line);
  return size != 0 && match_header(trimmed(line.substr(size))) == HeaderMatch::yes ? size : 0;
}

}  // namespace fairlead::transport
