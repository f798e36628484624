#include "gateway/config/edit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "gateway/config/snippet.hpp"
#include "gateway/config/text_edits.hpp"
#include "gateway/config/tree.hpp"

namespace fairlead::gateway {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string begin_file(const ConfigDocument& file, const ServerConfig& server) {
  if (file.name.ends_with(".yaml") || file.name.ends_with(".yml")) return "servers:\n" + yaml_snippet(server, "  ");
  return fmt::format("{{\n  \"mcpServers\": {{\n    {}\n  }}\n}}\n", json_snippet(server, "    ", "  "));
}

Result<Node> tree_of(const ConfigDocument& file) {
  Diagnostics diagnostics;
  auto tree = read_tree(file.name, file.text, diagnostics);
  if (!tree || !diagnostics.empty()) return std::unexpected(diagnostics.error());
  return *std::move(tree);
}

// Removes one server, and the map of servers if it is empty then.
Node without(Node root, const std::string& name) {
  for (const auto key : {"mcpServers", "servers"}) {
    for (auto& child : root.children) {
      if (child.key == key) std::erase_if(child.children, [&](const Node& server) { return server.key == name; });
    }
    std::erase_if(root.children, [&](const Node& child) { return child.key == key && child.children.empty(); });
  }
  if (root.children.empty()) root.kind = Node::Kind::null;
  return root;
}

// Returns the edited text if it differs from the file in this one server only.
Result<std::string> verified(const ConfigDocument& file, std::string text, const std::string& name, bool present) {
  const auto before = tree_of(file);
  const auto after = tree_of({file.name, text});
  const auto* servers = after ? servers_of(*after) : nullptr;
  const bool there = servers && servers->find(name) != nullptr;
  if (before && after && there == present && without(*before, name).same_content(without(*after, name))) return text;
  return fail(ErrorKind::refused, "");
}

std::unexpected<Error> edit_by_hand(const ConfigDocument& file, std::string_view what) {
  return fail(ErrorKind::refused,
              fmt::format("{} is written in a way that cannot be edited safely; {}", file.name, what));
}

}  // namespace

const Node* servers_of(const Node& root) {
  const auto* servers = root.find("mcpServers");
  return servers ? servers : root.find("servers");
}

Result<std::string> add_server(const ConfigDocument& file, const ServerConfig& server) {
  if (is_toml_file(file.name)) return edit_by_hand(file, "edit it yourself: TOML files are read only");
  if (is_blank(file.text)) return begin_file(file, server);
  const auto tree = tree_of(file);
  if (!tree) return std::unexpected(tree.error());
  const auto* servers = servers_of(*tree);
  if (const auto* known = servers ? servers->find(server.name) : nullptr) {
    return fail(ErrorKind::invalid,
                fmt::format("{}:{}: server {} already exists; remove it first, or choose another name", file.name,
                            known->line, value_in_quotes(server.name)));
  }
  const bool json = looks_like_json(file.text);
  auto text = json ? add_to_json(file.text, *tree, server) : add_to_yaml(file.text, *tree, server);
  auto edited = text ? verified(file, *std::move(text), server.name, true) : fail(ErrorKind::refused, "");
  if (edited) return edited;
  return edit_by_hand(
      file, "add this to its servers:\n" + (json ? json_snippet(server, "", "  ") + "\n" : yaml_snippet(server, "  ")));
}

Result<std::string> remove_server(const ConfigDocument& file, const std::string& name) {
  if (is_toml_file(file.name)) return edit_by_hand(file, "edit it yourself: TOML files are read only");
  const auto tree = tree_of(file);
  if (!tree) return std::unexpected(tree.error());
  const auto* servers = servers_of(*tree);
  const auto* known = servers ? servers->find(name) : nullptr;
  if (!known) return fail(ErrorKind::invalid, fmt::format("{} has no server {}", file.name, value_in_quotes(name)));
  const bool json = looks_like_json(file.text);
  auto text = json ? remove_from_json(file.text, *servers, *known) : remove_from_yaml(file.text, *servers, *known);
  auto edited = text ? verified(file, *std::move(text), name, false) : fail(ErrorKind::refused, "");
  if (edited) return edited;
  return edit_by_hand(file, fmt::format("remove {} in line {} yourself", value_in_quotes(name), known->line));
}

}  // namespace fairlead::gateway
