#pragma once

#include <fairlead/protocol/model/tools.hpp>

namespace fairlead::cli {

/// Whether the tool's schema has no required arguments.
bool has_no_required_arguments(const protocol::Tool& tool);

/// A JSON object with a plausible value for every required argument of the tool.
std::string sample_arguments(const protocol::Tool& tool);

}  // namespace fairlead::cli
