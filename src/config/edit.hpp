#pragma once

#include <fairlead/base/result.hpp>

#include "config/snippet.hpp"
#include "config/tree.hpp"

/// Adds or removes one entry in a configuration file and keeps everything else: order, comments, indentation. Each
/// result is parsed and compared before it is returned. If the file cannot be edited safely, the error says what to
/// write by hand.
namespace fairlead::config {

/// A map of entries at the root of a file. The map has either key; a new one has the key of the file's format.
struct EntryMap {
  std::string_view json_key;
  std::string_view yaml_key;
  std::string_view entry;  ///< What an entry is called in messages: `server`.

  /// Returns the map of a file, or null.
  const Node* find(const Node& root) const;
};

/// Returns the new text. An empty file is created as YAML if its name ends in .yaml or .yml, else as JSON.
Result<std::string> add_entry(const Document& file, const EntryMap& map, const Entry& entry);

Result<std::string> remove_entry(const Document& file, const EntryMap& map, const std::string& name);

}  // namespace fairlead::config
