#pragma once

#include <optional>

#include "config/edit.hpp"

/// Edits on the text of a file whose tree is known. The result may be wrong or missing; `edit.cpp` parses it again.
namespace fairlead::config {

std::optional<std::string> add_to_json(const std::string& text, const Node& root, const EntryMap& map,
                                       const Entry& entry);
std::optional<std::string> remove_from_json(const std::string& text, const Node& map, const Node& entry);

std::optional<std::string> add_to_yaml(const std::string& text, const Node& root, const EntryMap& map,
                                       const Entry& entry);
std::optional<std::string> remove_from_yaml(const std::string& text, const Node& map, const Node& entry);

}  // namespace fairlead::config
