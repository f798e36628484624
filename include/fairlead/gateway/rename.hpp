#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/gateway/middleware.hpp>

namespace fairlead::gateway {

/// New names by the server's name of a tool. One `*` in both stands for the same text.
using NewNames = std::vector<std::pair<std::string, std::string>>;

/// Renames tools; their old names are unknown. The first matching rule applies.
Result<std::unique_ptr<Middleware>> rename(NewNames names);

}  // namespace fairlead::gateway
