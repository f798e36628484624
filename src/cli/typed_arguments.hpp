#pragma once

#include <fairlead/json/payload.hpp>
#include <span>

namespace fairlead::cli {

/// Adds arguments such as `days=3` to the JSON object `base`.
///
/// The schema's property of that name decides the type: number, boolean, JSON or else string. An array property takes
/// one element per argument, or a JSON array. `days:=3` is always JSON.
Result<std::string> typed_arguments(std::span<const std::string> assignments, const json::Payload& schema,
                                    std::string base = "{}");

}  // namespace fairlead::cli
