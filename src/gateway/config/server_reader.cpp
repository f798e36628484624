#include "gateway/config/server_reader.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/nearest.hpp"
#include "gateway/config/ends.hpp"
#include "gateway/config/server_entry.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::size_t longest_name = 128;

bool is_server_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
}

bool says_where(const Node& entry) {
  constexpr auto keys =
      std::to_array<std::string_view>({"command", "url", "endpoint", "serverUrl", "httpUrl", "baseUrl", "base_url"});
  return entry.kind == Node::Kind::scalar ||
         std::ranges::any_of(keys, [&](std::string_view key) { return entry.find(key) != nullptr; });
}

// The server to read into: a new one where the entry starts afresh.
ServerConfig& place_for(Reading& reading, const Place& place, const std::string& name, GatewayConfig& into) {
  auto* known = into.find(name);
  if (known && !says_where(place.node)) return *known;
  reading.forget(place.slot);
  if (!known) known = &into.servers.emplace_back();
  *known = {.name = name, .at = reading.origin(place)};
  return *known;
}

void read_listed(Reading& reading, const Place& place, Dialect dialect, GatewayConfig& into) {
  if (!reading.is(place, Node::Kind::map)) return;
  const auto* name = place.node.find("name");
  if (!name) return reading.wrong(place, "has no name; give it one");
  const auto text = reading.text(place.member(*name));
  if (!text) return;
  read_server(reading, {place.node, place.path, below("servers", text->text)}, text->text, dialect, into);
}

}  // namespace

void read_server(Reading& reading, const Place& place, const std::string& name, Dialect dialect, GatewayConfig& into) {
  if (!is_server_name(name)) {
    return reading.wrong(place, fmt::format("is no name for a server; use 1 to {} characters", longest_name));
  }
  auto& server = place_for(reading, place, name, into);
  reading.took(place);
  if (place.node.kind != Node::Kind::scalar) return ServerEntry(reading, place, dialect, server).read();
  if (!is_upstream(place.node.text)) {
    return reading.wrong(place, "is neither a URL nor a command; write https://host/mcp, or stdio:npx -y some-server");
  }
  read_upstream(reading, place, server);
}

void read_servers(Reading& reading, const Place& place, Dialect dialect, GatewayConfig& into) {
  if (place.node.kind == Node::Kind::list) {
    for (std::size_t index = 0; index < place.node.children.size(); ++index) {
      read_listed(reading, place.item(index), dialect, into);
    }
    return;
  }
  if (!reading.is(place, Node::Kind::map)) return;
  for (const auto& child : place.node.children) {
    read_server(reading, {child, below(place.path, child.key), below("servers", child.key)}, child.key, dialect, into);
  }
}

}  // namespace fairlead::gateway
