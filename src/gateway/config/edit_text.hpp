#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gateway/config/config.hpp"
#include "gateway/config/node.hpp"

/// The edits themselves: they work on text whose tree is known, and may come out wrong, or not at all. Whoever asks for
/// one reads the outcome again.
namespace fairlead::gateway {

/// Where a file keeps its servers; null for nowhere.
const Node* servers_of(const Node& root);

std::optional<std::string> add_to_json(const std::string& text, const Node& root, const ServerConfig& server);
std::optional<std::string> remove_from_json(const std::string& text, const Node& servers, const Node& server);

std::optional<std::string> add_to_yaml(const std::string& text, const Node& root, const ServerConfig& server);
std::optional<std::string> remove_from_yaml(const std::string& text, const Node& servers, const Node& server);

}  // namespace fairlead::gateway
