#include <algorithm>
#include <fmt/format.h>

#include "config/text_edits.hpp"

namespace fairlead::config {
namespace {

// The indentation of a value at `at`; nothing if other text precedes it on the line.
std::optional<std::string> indent_at(std::string_view text, std::size_t at) {
  const auto line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const auto front = text.substr(line, at - line);
  if (front.find_first_not_of(" \t") != std::string_view::npos) return std::nullopt;
  return std::string(front);
}

// The indentation of the line that contains `at`.
std::string line_indent(std::string_view text, std::size_t at) {
  const auto line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const auto end = std::min(text.find_first_not_of(" \t", line), at);
  return std::string(text.substr(line, end - line));
}

std::size_t end_of(const Node& node) {
  return node.span.begin + node.span.size;
}

// The additional indentation of `inner`.
std::string step_between(const std::string& outer, const std::string& inner) {
  return inner.size() > outer.size() && inner.starts_with(outer) ? inner.substr(outer.size()) : "  ";
}

std::string spliced(std::string_view text, std::size_t from, std::size_t to, std::string_view with) {
  return fmt::format("{}{}{}", text.substr(0, from), with, text.substr(to));
}

// Appends a member, formatted like the last one.
std::string append_member(const std::string& text, const Node& map, const Entry& entry) {
  const auto& last = map.children.back();
  const auto indent = indent_at(text, last.span.begin);
  const auto step = step_between(line_indent(text, end_of(map) - 1), indent.value_or(""));
  const auto snippet = json_snippet(entry, indent.value_or(""), indent ? step : "");
  return spliced(text, end_of(last), end_of(last), indent ? ",\n" + *indent + snippet : ", " + snippet);
}

// Adds the first member of an empty map.
std::string fill_map(const std::string& text, const Node& map, const std::string& step, const Entry& entry) {
  const auto outer = line_indent(text, map.span.begin);
  const auto inner = outer + step;
  const auto open = text.rfind('{', end_of(map) - 1);
  return spliced(text, open, end_of(map),
                 fmt::format("{{\n{}{}\n{}}}", inner, json_snippet(entry, inner, step), outer));
}

}  // namespace

std::optional<std::string> add_to_json(const std::string& text, const Node& root, const EntryMap& map,
                                       const Entry& entry) {
  if (root.kind != Node::Kind::map) return std::nullopt;
  const auto* entries = map.find(root);
  if (entries && entries->kind != Node::Kind::map) return std::nullopt;
  if (entries && !entries->children.empty()) return append_member(text, *entries, entry);
  const auto step = root.children.empty() ? "  " : indent_at(text, root.children.front().span.begin).value_or("  ");
  if (entries) return fill_map(text, *entries, step, entry);
  const auto inner = step + step;
  const auto member =
      fmt::format("\n{0}\"{1}\": {{\n{2}{3}\n{0}}}", step, map.json_key, inner, json_snippet(entry, inner, step));
  if (root.children.empty()) return spliced(text, root.span.begin + 1, end_of(root) - 1, member + "\n");
  const auto at = end_of(root.children.back());
  return spliced(text, at, at, "," + member);
}

std::optional<std::string> remove_from_json(const std::string& text, const Node& map, const Node& entry) {
  if (map.kind != Node::Kind::map) return std::nullopt;
  const auto index = static_cast<std::size_t>(&entry - map.children.data());
  const bool last = index + 1 == map.children.size();
  if (!last) return spliced(text, entry.span.begin, map.children[index + 1].span.begin, "");
  if (index > 0) return spliced(text, end_of(map.children[index - 1]), end_of(entry), "");
  const auto open = text.rfind('{', entry.span.begin);
  if (open == std::string::npos) return std::nullopt;
  return spliced(text, open, end_of(map), "{}");
}

}  // namespace fairlead::config
