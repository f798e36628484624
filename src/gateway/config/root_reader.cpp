#include "gateway/config/root_reader.hpp"

#include <algorithm>
#include <array>

#include "base/nearest.hpp"
#include "gateway/config/ends.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/config/server_reader.hpp"
#include "gateway/config/stage.hpp"

namespace fairlead::gateway {
namespace {

// `inputs` are an editor's questions; `debug` and `server` are read by the switch for debugging.
constexpr auto editors_keys = std::to_array<std::string_view>({"inputs", "debug", "server", "$schema"});

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

 private:
  void read_member(const Place& member) {
    const auto& key = member.node.key;
    if (key == "mcpServers") {
      read_servers(reading_, member, Dialect::foreign, into_);
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

  // Programs keep whatever they like beside their `mcpServers`; only what looks like ours is taken for a slip.
  void read_unknown(const Place& member) {
    if (std::ranges::find(editors_keys, member.node.key) != editors_keys.end()) return;
    const auto known = root_keys();
    if (!foreign_ || nearest(member.node.key, known)) reading_.unknown(member, known);
  }

  Reading& reading_;
  Place root_;
  GatewayConfig& into_;
  bool foreign_;
};

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
  if (reading.is(whole, Node::Kind::map)) Root(reading, root, into).read();
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
