#include "gateway/config/edit.hpp"

#include <span>

#include "config/edit.hpp"

namespace fairlead::gateway {
namespace {

constexpr config::EntryMap server_map{.json_key = "mcpServers", .yaml_key = "servers", .entry = "server"};

config::Entry entry_of(const ServerConfig& server) {
  config::Entry entry{.name = server.name};
  auto& members = entry.members;
  // Claude requires the type; other clients derive it from the URL.
  if (server.url.starts_with("http")) members.push_back(config::text_entry("type", "http"));
  if (!server.url.empty()) members.push_back(config::text_entry("url", server.url));
  if (!server.command.empty()) members.push_back(config::text_entry("command", server.command.front()));
  if (server.command.size() > 1) {
    members.push_back(config::list_entry("args", std::span(server.command).subspan(1)));
  }
  if (!server.env.empty()) members.push_back(config::map_entry("env", server.env));
  if (!server.headers.empty()) members.push_back(config::map_entry("headers", server.headers));
  if (!server.cwd.empty()) members.push_back(config::text_entry("cwd", server.cwd));
  return entry;
}

}  // namespace

Result<std::string> add_server(const config::Document& file, const ServerConfig& server) {
  return config::add_entry(file, server_map, entry_of(server));
}

Result<std::string> remove_server(const config::Document& file, const std::string& name) {
  return config::remove_entry(file, server_map, name);
}

}  // namespace fairlead::gateway
