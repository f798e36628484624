#include "config/edit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "config/text_edits.hpp"

namespace fairlead::config {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string begin_file(const Document& file, const EntryMap& map, const Entry& entry) {
  if (file.name.ends_with(".yaml") || file.name.ends_with(".yml"))
    return fmt::format("{}:\n{}", map.yaml_key, yaml_snippet(entry, "  "));
  return fmt::format("{{\n  \"{}\": {{\n    {}\n  }}\n}}\n", map.json_key, json_snippet(entry, "    ", "  "));
}

Result<Node> tree_of(const Document& file) {
  Diagnostics diagnostics;
  auto tree = read_tree(file.name, file.text, diagnostics);
  if (!tree || !diagnostics.empty()) return std::unexpected(diagnostics.error());
  return *std::move(tree);
}

// Removes one entry, and its map if that is empty then.
Node without(Node root, const EntryMap& map, const std::string& name) {
  for (const auto key : {map.json_key, map.yaml_key}) {
    for (auto& child : root.children) {
      if (child.key == key) std::erase_if(child.children, [&](const Node& entry) { return entry.key == name; });
    }
    std::erase_if(root.children, [&](const Node& child) { return child.key == key && child.children.empty(); });
  }
  if (root.children.empty()) root.kind = Node::Kind::null;
  return root;
}

// True if the edited text differs from the file in this one entry only.
bool is_safe(const Document& file, const EntryMap& map, const std::string& text, const std::string& name,
             bool present) {
  const auto before = tree_of(file);
  const auto after = tree_of({file.name, text});
  const auto* entries = after ? map.find(*after) : nullptr;
  const bool there = entries && entries->find(name) != nullptr;
  return before && after && there == present && without(*before, map, name).same_content(without(*after, map, name));
}

std::unexpected<Error> edit_by_hand(const Document& file, std::string_view what) {
  return fail(ErrorKind::refused,
              fmt::format("{} is written in a way that cannot be edited safely; {}", file.name, what));
}

}  // namespace

const Node* EntryMap::find(const Node& root) const {
  const auto* found = root.find(json_key);
  return found ? found : root.find(yaml_key);
}

Result<std::string> add_entry(const Document& file, const EntryMap& map, const Entry& entry) {
  if (is_toml_file(file.name)) return edit_by_hand(file, "edit it yourself: TOML files are read only");
  if (is_blank(file.text)) return begin_file(file, map, entry);
  const auto tree = tree_of(file);
  if (!tree) return std::unexpected(tree.error());
  const auto* entries = map.find(*tree);
  if (const auto* known = entries ? entries->find(entry.name) : nullptr) {
    return fail(ErrorKind::invalid, fmt::format("{}:{}: {} {} already exists; remove it first, or choose another name",
                                                file.name, known->line, map.entry, value_in_quotes(entry.name)));
  }
  const bool json = looks_like_json(file.text);
  auto text = json ? add_to_json(file.text, *tree, map, entry) : add_to_yaml(file.text, *tree, map, entry);
  if (text && is_safe(file, map, *text, entry.name, true)) return *std::move(text);
  return edit_by_hand(file, fmt::format("add this to its {}s:\n{}", map.entry,
                                        json ? json_snippet(entry, "", "  ") + "\n" : yaml_snippet(entry, "  ")));
}

Result<std::string> remove_entry(const Document& file, const EntryMap& map, const std::string& name) {
  if (is_toml_file(file.name)) return edit_by_hand(file, "edit it yourself: TOML files are read only");
  const auto tree = tree_of(file);
  if (!tree) return std::unexpected(tree.error());
  const auto* entries = map.find(*tree);
  const auto* known = entries ? entries->find(name) : nullptr;
  if (!known)
    return fail(ErrorKind::invalid, fmt::format("{} has no {} {}", file.name, map.entry, value_in_quotes(name)));
  const bool json = looks_like_json(file.text);
  auto text = json ? remove_from_json(file.text, *entries, *known) : remove_from_yaml(file.text, *entries, *known);
  if (text && is_safe(file, map, *text, name, false)) return *std::move(text);
  return edit_by_hand(file, fmt::format("remove {} in line {} yourself", value_in_quotes(name), known->line));
}

}  // namespace fairlead::config
