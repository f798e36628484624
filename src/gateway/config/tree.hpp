#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gateway/config/node.hpp"
#include "gateway/config/problems.hpp"

namespace fairlead::gateway {

/// What no configuration comes near, and everything beyond is refused.
constexpr std::size_t largest_file = std::size_t{4} * 1024 * 1024;
constexpr std::size_t deepest_file = 32;
constexpr std::size_t most_nodes = 20'000;

/// JSON begins with a brace or a bracket, perhaps after comments; everything else is YAML.
bool looks_like_json(std::string_view text);
/// TOML is told by the file's name: a table's header looks like JSON, and a key like YAML.
bool is_toml_file(std::string_view file);

/// A file's text as a tree, or nothing, with the reason among the problems. `file` is what to call it.
std::optional<Node> read_tree(const std::string& file, std::string_view text, Problems& problems);

// Its parts.
std::optional<Node> read_json_tree(const std::string& file, std::string_view text, Problems& problems);
std::optional<Node> read_yaml_tree(const std::string& file, const std::string& text, Problems& problems);
std::optional<Node> read_toml_tree(const std::string& file, std::string_view text, Problems& problems);

/// Adds a member to a map, unless there is one of that name already: that is a problem.
void add_member(const std::string& file, Node& map, Node member, Problems& problems);

}  // namespace fairlead::gateway
