#include "config/snippet.hpp"

#include <fairlead/json/writer.hpp>
#include <fmt/format.h>
#include <utility>

namespace fairlead::config {
namespace {

std::string quote(std::string_view text) {
  std::string out;
  json::write_string(out, text);
  return out;
}

}  // namespace

Entry text_entry(std::string name, std::string_view text) {
  return {.name = std::move(name), .value = quote(text)};
}

Entry list_entry(std::string name, std::span<const std::string> items) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ", ") + quote(item);
  return {.name = std::move(name), .value = "[" + list + "]"};
}

Entry map_entry(std::string name, const std::map<std::string, std::string>& texts) {
  Entry map{.name = std::move(name)};
  for (const auto& [key, text] : texts) map.members.push_back(text_entry(key, text));
  return map;
}

std::string json_snippet(const Entry& entry, const std::string& indent, std::string_view step) {
  const auto name = quote(entry.name) + ": ";
  if (entry.members.empty()) return name + entry.value;
  const auto inner = indent + std::string(step);
  const auto line_break = step.empty() ? std::string(" ") : "\n" + inner;
  std::string out;
  for (const auto& each : entry.members) out += (out.empty() ? "" : ",") + line_break + json_snippet(each, inner, step);
  return name + "{" + out + (step.empty() ? " " : "\n" + indent) + "}";
}

// JSON strings and lists are YAML too.
std::string yaml_snippet(const Entry& entry, const std::string& indent) {
  const auto name = indent + quote(entry.name) + ":";
  if (entry.members.empty()) return fmt::format("{} {}\n", name, entry.value);
  auto out = name + "\n";
  for (const auto& each : entry.members) out += yaml_snippet(each, indent + "  ");
  return out;
}

}  // namespace fairlead::config
