#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/gateway/middleware.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::gateway {

/// From names of tools, as the server has them, to those that clients see. One `*` on both sides stands for the same.
using NewNames = std::vector<std::pair<std::string, std::string>>;

/// Gives tools other names; the old ones are unknown then. Of several that match, the first counts.
Result<std::unique_ptr<Middleware>> rename(NewNames names);

}  // namespace fairlead::gateway
