#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "answer/load_config.hpp"

/// The configuration as layers of JSON documents: defaults, file, environment.
namespace fairlead::answer {

/// Reads the file; an empty object if it does not exist.
Result<boost::json::value> yaml_layer(const std::string& path);

/// Reads the environment variables. Ignores invalid values with a warning.
boost::json::value environment_layer(const Environment& environment, ConfigSources& sources,
                                     std::vector<std::string>& warnings);

/// Merges objects member by member; replaces all other values, also lists.
void overlay(boost::json::value& below, const boost::json::value& above);

/// A warning for each setting in `layer` that `known` does not have, with a suggestion.
std::vector<std::string> unknown_names(const boost::json::value& layer, const boost::json::value& known);

}  // namespace fairlead::answer
