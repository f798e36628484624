#include "config/tree.hpp"

#include <fairlead/base/utf8.hpp>
#include <fmt/format.h>
#include <utility>

#include "config/json_comments.hpp"

namespace fairlead::config {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Line of the first byte that is not UTF-8; 0 if there is none.
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

std::optional<Node> read_tree(const std::string& file, std::string_view text, Diagnostics& diagnostics) {
  if (text.size() > max_file_bytes) {
    diagnostics.add({.file = file}, "",
                    fmt::format("is longer than {} bytes; is this the right file?", max_file_bytes));
    return std::nullopt;
  }
  if (const auto line = line_of_bad_byte(text); line != 0) {
    diagnostics.add({.file = file, .line = line}, "", "contains bytes that are not UTF-8; save it as UTF-8");
    return std::nullopt;
  }
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (is_toml_file(file)) return read_toml_tree(file, text, diagnostics);
  return looks_like_json(text) ? read_json_tree(file, text, diagnostics)
                               : read_yaml_tree(file, std::string(text), diagnostics);
}

void add_member(const std::string& file, Node& map, Node member, Diagnostics& diagnostics) {
  if (const auto* first = map.find(member.key)) {
    diagnostics.add(
        {.file = file, .line = member.line}, "",
        fmt::format("{} is written twice, first in line {}; keep one", value_in_quotes(member.key), first->line));
    return;
  }
  map.children.push_back(std::move(member));
}

}  // namespace fairlead::config
