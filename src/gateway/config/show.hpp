#pragma once

#include <string>

#include "gateway/config/load.hpp"

namespace fairlead::gateway {

/// The configuration in force, as YAML that can be read again, with the source of every value behind it. Secrets are
/// masked.
std::string show_config(const Loaded& loaded, bool defaults = true);

}  // namespace fairlead::gateway
