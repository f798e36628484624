#pragma once

#include <fairlead/json/scan.hpp>

namespace fairlead::config {

/// One value of a configuration file (YAML, JSON or TOML) with its position.
struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string text = {};            ///< Value of a scalar, unquoted and unescaped.
  std::string key = {};             ///< Key inside a map.
  std::vector<Node> children = {};  ///< Members of a list or map, in order; keys of a map are unique.

  // Position of the key, or of the value without a key; counted from 1.
  std::size_t line = 1;
  std::size_t column = 1;
  /// Bytes from the key to the end of the value. JSON only.
  json::Span span = {};

  /// Returns the member `name`, or null.
  const Node* find(std::string_view name) const;

  /// Compares the content without positions.
  bool same_content(const Node& other) const;
};

/// Returns "a list", "a map" and so on, for messages.
std::string_view kind_phrase(Node::Kind kind);

}  // namespace fairlead::config
