#pragma once

#include <fairlead/base/result.hpp>

namespace fairlead::protocol {

/// The error for a stateless request with an unsupported revision; its data lists the supported ones.
Error unsupported_version(std::string requested);

}  // namespace fairlead::protocol
