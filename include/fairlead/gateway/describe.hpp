#pragma once

#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// New descriptions by pattern of the tool's name; `{}` is replaced by the server's description.
using Descriptions = std::vector<std::pair<std::string, std::string>>;

/// Replaces descriptions of tools. The first matching pattern applies.
std::unique_ptr<Middleware> describe(Descriptions descriptions);

}  // namespace fairlead::gateway
