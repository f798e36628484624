#pragma once

#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// Takes the name of a configured server out of a command's own words: the first word that is one. Nothing if there is
/// none. `options` know which words are values of options; `-c` among them names the files.
///
/// An error is the user's: a name that is almost right, or a configuration that is wrong.
Result<std::optional<gateway::ServerConfig>> take_named_server(std::vector<std::string>& words, const Options& options);

}  // namespace fairlead::cli
