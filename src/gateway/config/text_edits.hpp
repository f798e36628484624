#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gateway/config/config.hpp"
#include "gateway/config/node.hpp"

/// Edits on the text of a file whose tree is known. The result may be wrong or missing; `edit.cpp` parses it again.
namespace fairlead::gateway {

/// Returns the map of servers of a file, or null.
const Node* servers_of(const Node& root);

std::optional<std::string> add_to_json(const std::string& text, const Node& root, const ServerConfig& server);
std::optional<std::string> remove_from_json(const std::string& text, const Node& servers, const Node& server);

std::optional<std::string> add_to_yaml(const std::string& text, const Node& root, const ServerConfig& server);
std::optional<std::string> remove_from_yaml(const std::string& text, const Node& servers, const Node& server);

}  // namespace fairlead::gateway
