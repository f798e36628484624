#include "gateway/config/root_reader.hpp"

#include <algorithm>
#include <array>

#include "base/closest_match.hpp"
#include "gateway/config/address_syntax.hpp"
#include "gateway/config/chain_syntax.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/config/foreign_keys.hpp"
#include "gateway/config/retired_keys.hpp"
#include "gateway/config/server_reader.hpp"

namespace fairlead::gateway {
namespace {

// `inputs` belongs to editors; `debug` is read by the debug options.
constexpr auto ignored_root_keys = std::to_array<std::string_view>({"inputs", "debug", "$schema"});

// `server: {debug: true, debug_file: x.log}` sets debug options. Any other `server` is a typing error for `servers`.
bool is_debug_switch(const config::Node& member) {
  const auto is_its_key = [](const config::Node& child) { return child.key == "debug" || child.key == "debug_file"; };
  return member.key == "server" && !member.children.empty() && std::ranges::all_of(member.children, is_its_key);
}

std::vector<std::string> root_keys() {
  std::vector<std::string> keys{"servers", "mcpServers"};
  for (auto& name : config::field_names<GatewayConfig>()) keys.push_back(std::move(name));
  return keys;
}

std::vector<config::NodeRef> items_of(const config::NodeRef& list) {
  std::vector<config::NodeRef> items;
  for (std::size_t index = 0; index < list.node.children.size(); ++index) items.push_back(list.item(index));
  return items;
}

class RootReader {
 public:
  RootReader(config::ReadContext& context, const config::Node& root, GatewayConfig& into)
      : context_(context), root_{root, "", ""}, into_(into), foreign_(root.find("mcpServers") != nullptr) {}

  void read() {
    for (const auto& child : root_.node.children) read_member(root_.member(child));
  }

  /// Reads only the servers of another program's settings file.
  void read_foreign_only(const config::Node& servers) { read_foreign(root_.member(servers)); }

 private:
  void read_member(const config::NodeRef& member) {
    const auto& key = member.node.key;
    if (key == "mcpServers") {
      read_foreign(member);
    } else if (key == "servers") {
      read_servers(context_, member, Dialect::own, into_);
    } else if (key == "chain" && member.node.kind == config::Node::Kind::list) {
      read_gateway_chain(context_, items_of(member), into_);
    } else if (const auto* field = config::find_field<GatewayConfig>(key)) {
      field->read(context_, member, into_);
    } else {
      read_unknown(member);
    }
  }

  void read_foreign(const config::NodeRef& member) {
    const auto servers = with_own_variables(member.node);
    read_servers(context_, {servers, member.path, member.key_path}, Dialect::foreign, into_);
  }

  // Settings of other programs beside `mcpServers` are ignored, unless a key resembles one of ours.
  void read_unknown(const config::NodeRef& member) {
    if (std::ranges::find(ignored_root_keys, member.node.key) != ignored_root_keys.end() ||
        is_debug_switch(member.node))
      return;
    const auto known = root_keys();
    const bool is_ours = closest_match(member.node.key, known) || renamed_key("", member.node.key);
    if (!foreign_ || is_ours) context_.unknown_key(member, known);
  }

  config::ReadContext& context_;
  config::NodeRef root_;
  GatewayConfig& into_;
  bool foreign_;
};

// Codex has `mcp_servers`, opencode `mcp`, and the settings of VS Code have `mcp.servers`. Null for other files.
const config::Node* foreign_servers(const config::Node& root) {
  if (const auto* servers = root.find("mcp_servers")) return servers;
  const auto* mcp = root.find("mcp");
  if (!mcp || mcp->kind != config::Node::Kind::map) return nullptr;
  const auto* servers = mcp->find("servers");
  const bool is_an_entry = servers && (servers->find("type") || servers->find("command") || servers->find("url"));
  return servers && !is_an_entry ? servers : mcp;
}

bool is_server_info(const config::Node& root) {
  return root.find("name") && (root.find("transport") || root.find("command") || root.find("endpoint"));
}

}  // namespace

void read_root(config::ReadContext& context, const config::Node& root, GatewayConfig& into) {
  const config::NodeRef whole{root, "", ""};
  if (root.kind == config::Node::Kind::list) return read_servers(context, whole, Dialect::own, into);
  if (is_server_info(root)) {
    config::Node list{.kind = config::Node::Kind::list, .children = {root}};
    return read_servers(context, {list, "", ""}, Dialect::own, into);
  }
  if (!context.is(whole, config::Node::Kind::map)) return;
  RootReader reader(context, root, into);
  if (const auto* servers = foreign_servers(root)) return reader.read_foreign_only(*servers);
  reader.read();
}

void read_pipe_steps(config::ReadContext& context, const config::NodeRef& line, GatewayConfig& into) {
  const auto steps = items_of(line);
  if (steps.size() < 2) {
    return context.error(
        line, "is not a chain; write a listen address, steps if any, and a server: http://:8080 | stdio:command");
  }
  if (!is_listen_address(steps.front().node.text)) {
    context.error(steps.front(), "is not a listen address; write http://:8080, stdio or unix:/path");
  }
  if (!is_server_address(steps.back().node.text)) {
    context.error(steps.back(), "is not a server; write stdio:command, or a URL");
  }
  read_gateway_chain(context, steps, into);
}

}  // namespace fairlead::gateway
