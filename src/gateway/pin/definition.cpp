#include "gateway/pin/definition.hpp"

#include <algorithm>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace fairlead::gateway {
namespace {

std::string one_form(json::Reader& reader);

std::string object_in_order(json::Reader& reader) {
  std::vector<std::pair<std::string, std::string>> members;
  for (reader.open(); reader.more();) {
    std::string name(reader.key());
    auto value = one_form(reader);
    members.emplace_back(std::move(name), std::move(value));
  }
  std::ranges::stable_sort(members, {}, &std::pair<std::string, std::string>::first);
  std::string out;
  {
    json::ObjectWriter object(out);
    for (const auto& [name, value] : members) object.member(name) += value;
  }
  return out;
}

std::string array_as_it_is(json::Reader& reader) {
  std::string out = "[";
  for (reader.open(); reader.more();) {
    if (out.size() > 1) out += ',';
    out += one_form(reader);
  }
  return out + "]";
}

std::string one_form(json::Reader& reader) {
  std::string out;
  switch (reader.kind()) {
    case json::Kind::object: return object_in_order(reader);
    case json::Kind::array: return array_as_it_is(reader);
    case json::Kind::string: {
      std::string scratch;
      json::write_string(out, reader.text(scratch));
      return out;
    }
    case json::Kind::null:
    case json::Kind::boolean:
    case json::Kind::number: break;
  }
  return std::string(reader.skip());
}

/// Members by name; duplicates get a number, so that none is lost.
std::map<std::string, std::string> parts_of(std::string_view text) {
  std::map<std::string, std::string> parts;
  std::map<std::string, std::size_t> counts;
  json::Reader reader(text);
  const bool is_object = reader.kind() == json::Kind::object;
  std::size_t index = 0;
  for (reader.open(); reader.more(); ++index) {
    auto name = is_object ? std::string(reader.key()) : fmt::format("[{:06}]", index);
    const auto count = counts[name]++;
    if (count > 0) name += fmt::format(" ({})", count + 1);
    parts.emplace(std::move(name), std::string(reader.skip()));
  }
  return parts;
}

std::string path_below(const std::string& path, const std::string& name) {
  if (path.empty()) return name;
  if (!name.starts_with('[')) return path + "." + name;
  const auto digits = std::min(name.find_first_not_of('0', 1), name.size() - 2);
  return path + "[" + name.substr(digits);
}

bool have_parts(std::string_view before, std::string_view after) {
  return !before.empty() && !after.empty() && before[0] == after[0] && (before[0] == '{' || before[0] == '[');
}

void add_change_tools(std::vector<DefinitionChange>& all, const std::string& path, std::string_view before,
                      std::string_view after) {
  if (before == after) return;
  if (!have_parts(before, after)) {
    all.push_back({path, std::string(before), std::string(after)});
    return;
  }
  auto old_parts = parts_of(before);
  const auto new_parts = parts_of(after);
  for (const auto& [name, value] : new_parts) {
    add_change_tools(all, path_below(path, name), std::exchange(old_parts[name], ""), value);
    old_parts.erase(name);
  }
  for (const auto& [name, value] : old_parts) add_change_tools(all, path_below(path, name), value, "");
}

}  // namespace

std::string definition_of(std::string_view item) {
  json::Reader reader(item);
  return one_form(reader);
}

std::vector<DefinitionChange> changes_between(std::string_view before, std::string_view after) {
  std::vector<DefinitionChange> all;
  add_change_tools(all, "", before, after);
  return all;
}

}  // namespace fairlead::gateway
