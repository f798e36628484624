#pragma once

#include "config/secret_mask.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::gateway {

/// A chain step for display, with secrets masked: `timeout("30s")`.
std::string step_text(const MiddlewareConfig& step, const config::SecretMask& mask);

}  // namespace fairlead::gateway
