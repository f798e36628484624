#pragma once

#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/config/load.hpp"

namespace fairlead::cli {

/// Programs whose configuration can be taken over.
std::vector<std::string> known_clients();

/// Where one of them keeps its servers on Linux.
std::vector<std::string> files_of_client(std::string_view client);

/// Its servers. Variables of the environment stay variables, so that no secret is written down that was not.
Result<gateway::Loaded> load_client(std::string_view client);

}  // namespace fairlead::cli
