#pragma once

#include <string>
#include <string_view>

#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// Returns the entry of a server as `"name": {…}`. `indent` precedes every line but the first, `step` is added inside;
/// without a step all is on one line.
std::string json_snippet(const ServerConfig& server, std::string_view indent, std::string_view step);

/// Returns the entry as lines of YAML, each with the indent and a line break.
std::string yaml_snippet(const ServerConfig& server, std::string_view indent);

}  // namespace fairlead::gateway
