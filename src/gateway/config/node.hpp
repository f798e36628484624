#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/json/scan.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// One value of a configuration file, YAML or JSON alike, and where it stands.
struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string text = {};            ///< Of a scalar, without quotes and escapes.
  std::string key = {};             ///< Its name, inside a map.
  std::vector<Node> children = {};  ///< Of a list or a map, in order; names in a map are unique.

  // From 1. That of the name, where the value has one.
  std::size_t line = 1;
  std::size_t column = 1;
  /// From the name to the end of the value, in bytes. Of JSON only.
  json::Span span = {};

  /// The member called `name`, or null.
  const Node* find(std::string_view name) const;

  /// The same content, wherever and however it is written.
  bool says_the_same(const Node& other) const;
};

/// "a list", "a map": for messages.
std::string_view article(Node::Kind kind);

}  // namespace fairlead::gateway
