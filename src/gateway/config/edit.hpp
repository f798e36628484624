#pragma once

#include <fairlead/base/result.hpp>
#include <string>

#include "gateway/config/load.hpp"

/// Adds or removes one server in a configuration file and keeps everything else: order, comments, indentation. Each
/// result is parsed and compared before it is returned. If the file cannot be edited safely, the error says what to
/// write by hand.
namespace fairlead::gateway {

/// Returns the new text. Writes command, env and cwd, or url and headers, without expanding variables. An empty file is
/// created as YAML if its name ends in .yaml or .yml, else as JSON.
Result<std::string> add_server(const ConfigDocument& file, const ServerConfig& server);

Result<std::string> remove_server(const ConfigDocument& file, const std::string& name);

}  // namespace fairlead::gateway
