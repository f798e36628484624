#include "gateway/config/root_reader.hpp"

#include <algorithm>
#include <array>

#include "base/nearest.hpp"
#include "gateway/config/ends.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/config/foreign_words.hpp"
#include "gateway/config/server_reader.hpp"
#include "gateway/config/stage.hpp"

namespace fairlead::gateway {
namespace {

// `inputs` are an editor's questions; `debug` is read by the switch for debugging.
constexpr auto editors_keys = std::to_array<std::string_view>({"inputs", "debug", "$schema"});

// `server: {debug: true, debug_file: x.log}` is another form of that switch. Any other `server` is a misspelt
// `servers`.
bool is_debug_switch(const Node& member) {
  const auto is_its_key = [](const Node& child) { return child.key == "debug" || child.key == "debug_file"; };
  return member.key == "server" && !member.children.empty() && std::ranges::all_of(member.children, is_its_key);
}

std::vector<std::string> root_keys() {
  std::vector<std::string> keys{"servers", "mcpServers"};
  for (auto& name : field_names<GatewayConfig>()) keys.push_back(std::move(name));
  return keys;
}

std::vector<Place> items_of(const Place& list) {
  std::vector<Place> items;
  for (std::size_t index = 0; index < list.node.children.size(); ++index) items.push_back(list.item(index));
  return items;
}

class Root {
 public:
  Root(Reading& reading, const Node& root, GatewayConfig& into)
      : reading_(reading), root_{root, "", ""}, into_(into), foreign_(root.find("mcpServers") != nullptr) {}

  void read() {
    for (const auto& child : root_.node.children) read_member(root_.member(child));
  }

  /// Of a file whose other keys are another program's settings.
  void read_only(const Node& servers) { read_foreign(root_.member(servers)); }

 private:
  void read_member(const Place& member) {
    const auto& key = member.node.key;
    if (key == "mcpServers") {
      read_foreign(member);
    } else if (key == "servers") {
      read_servers(reading_, member, Dialect::own, into_);
    } else if (key == "chain" && member.node.kind == Node::Kind::list) {
      read_whole_chain(reading_, items_of(member), into_);
    } else if (const auto* field = find_field<GatewayConfig>(key)) {
      field->read(reading_, member, into_);
    } else {
      read_unknown(member);
    }
  }

  void read_foreign(const Place& member) {
    const auto servers = with_our_variables(member.node);
    read_servers(reading_, {servers, member.path, member.slot}, Dialect::foreign, into_);
  }

  // Programs keep whatever they like beside their `mcpServers`; only what looks like ours is taken for a slip.
  void read_unknown(const Place& member) {
    if (std::ranges::find(editors_keys, member.node.key) != editors_keys.end() || is_debug_switch(member.node)) return;
    const auto known = root_keys();
    if (!foreign_ || nearest(member.node.key, known)) reading_.unknown(member, known);
  }

  Reading& reading_;
  Place root_;
  GatewayConfig& into_;
  bool foreign_;
};

// Codex has `mcp_servers`, opencode `mcp`, and the settings of VS Code have `mcp.servers`. Null for other files.
const Node* servers_of_others(const Node& root) {
  if (const auto* servers = root.find("mcp_servers")) return servers;
  const auto* mcp = root.find("mcp");
  if (!mcp || mcp->kind != Node::Kind::map) return nullptr;
  const auto* servers = mcp->find("servers");
  const bool is_an_entry = servers && (servers->find("type") || servers->find("command") || servers->find("url"));
  return servers && !is_an_entry ? servers : mcp;
}

bool is_server_info(const Node& root) {
  return root.find("name") && (root.find("transport") || root.find("command") || root.find("endpoint"));
}

}  // namespace

void read_root(Reading& reading, const Node& root, GatewayConfig& into) {
  const Place whole{root, "", ""};
  if (root.kind == Node::Kind::list) return read_servers(reading, whole, Dialect::own, into);
  if (is_server_info(root)) {
    Node list{.kind = Node::Kind::list, .children = {root}};
    return read_servers(reading, {list, "", ""}, Dialect::own, into);
  }
  if (!reading.is(whole, Node::Kind::map)) return;
  Root reader(reading, root, into);
  if (const auto* servers = servers_of_others(root)) return reader.read_only(*servers);
  reader.read();
}

void read_whole_line(Reading& reading, const Place& line, GatewayConfig& into) {
  const auto steps = items_of(line);
  if (steps.size() < 2) {
    return reading.wrong(line, "is no chain; write a way in, steps if any, and a server: http://:8080 | stdio:command");
  }
  if (!is_front(steps.front().node.text)) {
    reading.wrong(steps.front(), "is no way in; write http://:8080, stdio or unix:/path");
  }
  if (!is_upstream(steps.back().node.text)) {
    reading.wrong(steps.back(), "is no server; write stdio:command, or a URL");
  }
  read_whole_chain(reading, steps, into);
}

}  // namespace fairlead::gateway
