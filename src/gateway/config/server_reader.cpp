#include "gateway/config/server_reader.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/closest_match.hpp"
#include "gateway/config/address_syntax.hpp"
#include "gateway/config/server_entry.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::size_t max_name_bytes = 128;

bool is_server_name(std::string_view name) {
  return !name.empty() && name.size() <= max_name_bytes &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
}

bool has_address(const config::Node& entry) {
  constexpr auto keys =
      std::to_array<std::string_view>({"command", "url", "endpoint", "serverUrl", "httpUrl", "baseUrl", "base_url"});
  return entry.kind == config::Node::Kind::scalar ||
         std::ranges::any_of(keys, [&](std::string_view key) { return entry.find(key) != nullptr; });
}

// Returns the server to read into: a new one if the entry has an address.
ServerConfig& find_or_add_server(config::ReadContext& context, const config::NodeRef& ref, const std::string& name,
                                 GatewayConfig& into) {
  auto* known = into.find(name);
  if (known && !has_address(ref.node)) return *known;
  context.forget(ref.key_path);
  if (!known) known = &into.servers.emplace_back();
  *known = {.name = name, .at = context.origin(ref)};
  return *known;
}

void read_listed(config::ReadContext& context, const config::NodeRef& ref, Dialect dialect, GatewayConfig& into) {
  if (!context.is(ref, config::Node::Kind::map)) return;
  const auto* name = ref.node.find("name");
  if (!name) return context.error(ref, "has no name; give it one");
  const auto text = context.text(ref.member(*name));
  if (!text) return;
  read_server(context, {ref.node, ref.path, config::below("servers", text->text)}, text->text, dialect, into);
}

}  // namespace

void read_server(config::ReadContext& context, const config::NodeRef& ref, const std::string& name, Dialect dialect,
                 GatewayConfig& into) {
  if (!is_server_name(name)) {
    return context.error(ref, fmt::format("is not a valid server name; use 1 to {} characters", max_name_bytes));
  }
  auto& server = find_or_add_server(context, ref, name, into);
  context.record_source(ref);
  if (ref.node.kind != config::Node::Kind::scalar) return ServerEntry(context, ref, dialect, server).read();
  if (!is_server_address(ref.node.text)) {
    return context.error(ref, "is neither a URL nor a command; write https://host/mcp, or stdio:npx -y some-server");
  }
  read_server_address(context, ref, server);
}

void read_servers(config::ReadContext& context, const config::NodeRef& ref, Dialect dialect, GatewayConfig& into) {
  if (ref.node.kind == config::Node::Kind::list) {
    for (std::size_t index = 0; index < ref.node.children.size(); ++index) {
      read_listed(context, ref.item(index), dialect, into);
    }
    return;
  }
  if (!context.is(ref, config::Node::Kind::map)) return;
  for (const auto& child : ref.node.children) {
    read_server(context, {child, config::below(ref.path, child.key), config::below("servers", child.key)}, child.key,
                dialect, into);
  }
}

}  // namespace fairlead::gateway
