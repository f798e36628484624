#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fairlead::gateway {

/// A value of TOML that has no quotes, in the form in which other files have it: integers decimal and without
/// underscores, floats without underscores, booleans and dates as they are. Nothing for what is no such value.
std::optional<std::string> read_toml_plain(std::string_view word);

/// Whether this is a date without a time, such as 2026-07-28.
bool is_toml_date(std::string_view word);

}  // namespace fairlead::gateway
