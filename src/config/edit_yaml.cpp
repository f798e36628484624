#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "config/text_edits.hpp"

namespace fairlead::config {
namespace {

/// Splits a text into lines, each with its line break.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  if (!lines.empty() && !lines.back().ends_with('\n')) lines.back() += '\n';
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line;
  return text;
}

// Returns npos for a blank line.
std::size_t indent_of(const std::string& line) {
  const auto first = line.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? first : line.find_first_not_of(' ');
}

// Index of the first line after the block that starts in line `node.line`. The block is everything with deeper
// indentation.
std::size_t end_of_block(const std::vector<std::string>& lines, const Node& node) {
  auto end = node.line;
  for (auto at = end; at < lines.size(); ++at) {
    const auto indent = indent_of(lines[at]);
    if (indent == std::string::npos) continue;
    if (indent < node.column) break;
    end = at + 1;
  }
  return end;
}

// True if a key starts its line, which it does not inside {}.
bool begins_line(const std::vector<std::string>& lines, const Node& node) {
  return node.line <= lines.size() && indent_of(lines[node.line - 1]) == node.column - 1;
}

auto at(std::vector<std::string>& lines, std::size_t index) {
  return lines.begin() + static_cast<std::ptrdiff_t>(index);
}

}  // namespace

std::optional<std::string> add_to_yaml(const std::string& text, const Node& root, const EntryMap& map,
                                       const Entry& entry) {
  auto lines = lines_of(text);
  const auto* entries = map.find(root);
  if (!entries) return fmt::format("{}{}:\n{}", joined(lines), map.yaml_key, yaml_snippet(entry, "  "));
  if (!begins_line(lines, *entries)) return std::nullopt;
  if (entries->kind == Node::Kind::null) {
    lines.insert(at(lines, entries->line), yaml_snippet(entry, std::string(entries->column + 1, ' ')));
    return joined(lines);
  }
  if (entries->kind != Node::Kind::map || entries->children.empty()) return std::nullopt;
  const auto& last = entries->children.back();
  if (!begins_line(lines, last)) return std::nullopt;
  lines.insert(at(lines, end_of_block(lines, last)), yaml_snippet(entry, std::string(last.column - 1, ' ')));
  return joined(lines);
}

std::optional<std::string> remove_from_yaml(const std::string& text, const Node& map, const Node& entry) {
  auto lines = lines_of(text);
  const auto& from = map.children.size() == 1 ? map : entry;
  if (!begins_line(lines, from)) return std::nullopt;
  lines.erase(at(lines, from.line - 1), at(lines, end_of_block(lines, from)));
  return joined(lines);
}

}  // namespace fairlead::config
