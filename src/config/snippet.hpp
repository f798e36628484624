#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::config {

/// A member to write into a file: a value as JSON text, or a map of members.
struct Entry {
  std::string name;
  std::string value = {};
  std::vector<Entry> members = {};
};

/// A member with a string, a list of strings, or a map of strings.
Entry text_entry(std::string name, std::string_view text);
Entry list_entry(std::string name, std::span<const std::string> items);
Entry map_entry(std::string name, const std::map<std::string, std::string>& texts);

/// Returns an entry as `"name": {…}`. `indent` precedes every line but the first, `step` is added inside; without a
/// step all is on one line.
std::string json_snippet(const Entry& entry, const std::string& indent, std::string_view step);

/// Returns the entry as lines of YAML, each with the indent and a line break.
std::string yaml_snippet(const Entry& entry, const std::string& indent);

}  // namespace fairlead::config
