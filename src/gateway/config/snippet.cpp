#include "gateway/config/snippet.hpp"

#include <fairlead/json/writer.hpp>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace fairlead::gateway {
namespace {

std::string quote(std::string_view text) {
  std::string out;
  json::write_string(out, text);
  return out;
}

/// A member whose value is JSON text, or a map of members.
struct JsonMember {
  std::string name;
  std::string value = {};
  std::vector<JsonMember> members = {};
};

std::string list(const std::vector<std::string>& items, std::size_t from) {
  std::string out;
  for (auto index = from; index < items.size(); ++index) out += (index == from ? "" : ", ") + quote(items[index]);
  return "[" + out + "]";
}

void add_map(std::vector<JsonMember>& members, std::string name, const std::map<std::string, std::string>& texts) {
  if (texts.empty()) return;
  JsonMember map{.name = std::move(name)};
  for (const auto& [key, text] : texts) map.members.push_back({.name = key, .value = quote(text)});
  members.push_back(std::move(map));
}

JsonMember entry_of(const ServerConfig& server) {
  JsonMember entry{.name = server.name};
  auto& members = entry.members;
  // Claude requires the type; other clients derive it from the URL.
  if (server.url.starts_with("http")) members.push_back({.name = "type", .value = quote("http")});
  if (!server.url.empty()) members.push_back({.name = "url", .value = quote(server.url)});
  if (!server.command.empty()) members.push_back({.name = "command", .value = quote(server.command.front())});
  if (server.command.size() > 1) members.push_back({.name = "args", .value = list(server.command, 1)});
  add_map(members, "env", server.env);
  add_map(members, "headers", server.headers);
  if (!server.cwd.empty()) members.push_back({.name = "cwd", .value = quote(server.cwd)});
  return entry;
}

std::string as_json(const JsonMember& member, const std::string& indent, std::string_view step) {
  const auto name = quote(member.name) + ": ";
  if (member.members.empty()) return name + member.value;
  const auto inner = indent + std::string(step);
  const auto line_break = step.empty() ? std::string(" ") : "\n" + inner;
  std::string out;
  for (const auto& each : member.members) out += (out.empty() ? "" : ",") + line_break + as_json(each, inner, step);
  return name + "{" + out + (step.empty() ? " " : "\n" + indent) + "}";
}

// JSON strings and lists are YAML too.
std::string as_yaml(const JsonMember& member, const std::string& indent) {
  const auto name = indent + quote(member.name) + ":";
  if (member.members.empty()) return fmt::format("{} {}\n", name, member.value);
  auto out = name + "\n";
  for (const auto& each : member.members) out += as_yaml(each, indent + "  ");
  return out;
}

}  // namespace

std::string json_snippet(const ServerConfig& server, std::string_view indent, std::string_view step) {
  return as_json(entry_of(server), std::string(indent), step);
}

std::string yaml_snippet(const ServerConfig& server, std::string_view indent) {
  return as_yaml(entry_of(server), std::string(indent));
}

}  // namespace fairlead::gateway
