#include "gateway/config/tree.hpp"

#include <fairlead/base/utf8.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/config/comments.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// The line of the first byte that is no UTF-8; 0 if all are.
std::size_t line_of_bad_byte(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const auto length = utf8_length(text, at);
    if (length == 0 || text[at] == '\0') return line;
    line += text[at] == '\n';
    at += length;
  }
  return 0;
}

}  // namespace

bool looks_like_json(std::string_view text) {
  const auto plain = without_comments(std::string(text));
  const auto first = plain.find_first_not_of(" \t\r\n");
  return first != std::string::npos && (plain[first] == '{' || plain[first] == '[');
}

bool is_toml_file(std::string_view file) {
  return file.ends_with(".toml");
}

std::optional<Node> read_tree(const std::string& file, std::string_view text, Problems& problems) {
  if (text.size() > largest_file) {
    problems.add({.file = file}, "", fmt::format("is longer than {} bytes; is this the right file?", largest_file));
    return std::nullopt;
  }
  if (const auto line = line_of_bad_byte(text); line != 0) {
    problems.add({.file = file, .line = line}, "", "holds bytes that are not UTF-8 text; save it as UTF-8");
    return std::nullopt;
  }
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (is_toml_file(file)) return read_toml_tree(file, text, problems);
  return looks_like_json(text) ? read_json_tree(file, text, problems)
                               : read_yaml_tree(file, std::string(text), problems);
}

void add_member(const std::string& file, Node& map, Node member, Problems& problems) {
  if (const auto* first = map.find(member.key)) {
    problems.add(
        {.file = file, .line = member.line}, "",
        fmt::format("{} is written twice, first in line {}; keep one", value_in_quotes(member.key), first->line));
    return;
  }
  map.children.push_back(std::move(member));
}

}  // namespace fairlead::gateway
