#pragma once

#include <fairlead/base/result.hpp>

#include "config/tree.hpp"
#include "gateway/config/config.hpp"

/// Adds or removes one server in a configuration file, see `config/edit.hpp`.
namespace fairlead::gateway {

/// Returns the new text. Writes command, env and cwd, or url and headers, without expanding variables.
Result<std::string> add_server(const config::Document& file, const ServerConfig& server);

Result<std::string> remove_server(const config::Document& file, const std::string& name);

}  // namespace fairlead::gateway
