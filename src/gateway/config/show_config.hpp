#pragma once

#include "gateway/config/load.hpp"

namespace fairlead::gateway {

/// Returns the effective configuration as YAML that can be read again, with the source of each value in a comment.
/// Secrets are masked.
std::string show_config(const LoadedConfig& loaded, bool defaults = true);

}  // namespace fairlead::gateway
