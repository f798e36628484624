#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/json/payload.hpp>
#include <span>
#include <string>

namespace fairlead::cli {

/// Words such as `days=3` as members of a JSON object, added to `base`.
///
/// What a value means is for the schema's property of that name to say: numbers, booleans and JSON where it wants them,
/// else text. A list takes one element a word, or a JSON array. `days:=3` is JSON whatever the schema says.
Result<std::string> typed_arguments(std::span<const std::string> words, const json::Payload& schema,
                                    std::string base = "{}");

}  // namespace fairlead::cli
