#pragma once

#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// From patterns for names of tools to what is said of them; `{}` in it stands for what the server says.
using Descriptions = std::vector<std::pair<std::string, std::string>>;

/// Describes tools in other words. Of several patterns that match, the first counts.
std::unique_ptr<Middleware> describe(Descriptions descriptions);

}  // namespace fairlead::gateway
