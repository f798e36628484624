#pragma once

#include <optional>

#include "config/diagnostics.hpp"
#include "config/node.hpp"

namespace fairlead::config {

/// A configuration file in memory.
struct Document {
  std::string name;
  std::string text;
};

/// Limits that no real configuration reaches.
constexpr std::size_t max_file_bytes = std::size_t{4} * 1024 * 1024;
constexpr std::size_t max_depth = 32;
constexpr std::size_t max_nodes = 20'000;

/// True if the text starts with a brace or bracket, after comments if any. Other text is YAML.
bool looks_like_json(std::string_view text);
/// True for names that end in .toml. TOML cannot be recognized by its text.
bool is_toml_file(std::string_view file);

/// Parses a file into a tree. On failure returns nothing and adds errors. `file` is its name for messages.
std::optional<Node> read_tree(const std::string& file, std::string_view text, Diagnostics& diagnostics);

// The parsers of `read_tree`.
std::optional<Node> read_json_tree(const std::string& file, std::string_view text, Diagnostics& diagnostics);
std::optional<Node> read_yaml_tree(const std::string& file, const std::string& text, Diagnostics& diagnostics);
std::optional<Node> read_toml_tree(const std::string& file, std::string_view text, Diagnostics& diagnostics);

/// Adds a member to a map, or an error if the map already has that key.
void add_member(const std::string& file, Node& map, Node member, Diagnostics& diagnostics);

}  // namespace fairlead::config
