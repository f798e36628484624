#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "answer/load.hpp"

/// A configuration is documents on top of each other; this is how each is made and laid over the one below.
namespace fairlead::answer {

/// The file as a document: nothing said if there is no such file.
Result<boost::json::value> yaml_layer(const std::string& path);

/// What the environment says. Values that make no sense are passed over, with a warning.
boost::json::value environment_layer(const Environment& environment, ConfigSources& sources,
                                     std::vector<std::string>& warnings);

/// Objects member by member; everything else, lists included, as a whole.
void lay_over(boost::json::value& below, const boost::json::value& above);

/// Names in `layer` that `known` does not have, as paths, each with what was meant perhaps.
std::vector<std::string> unknown_names(const boost::json::value& layer, const boost::json::value& known);

}  // namespace fairlead::answer
