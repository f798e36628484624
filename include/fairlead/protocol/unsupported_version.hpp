#pragma once

#include <fairlead/base/result.hpp>
#include <string>

namespace fairlead::protocol {

/// What a stateless request is told whose revision we do not serve: which ones we do, and what it asked for.
Error unsupported_version(std::string requested);

}  // namespace fairlead::protocol
