#pragma once

#include <fairlead/protocol/model/tools.hpp>
#include <string>

namespace fairlead::cli {

/// Whether the tool can be called without a thought: its schema demands nothing.
bool needs_nothing(const protocol::Tool& tool);

/// A JSON object with a plausible value for everything that the tool's schema demands.
std::string sample_arguments(const protocol::Tool& tool);

}  // namespace fairlead::cli
