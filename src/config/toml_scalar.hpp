#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fairlead::config {

/// Parses an unquoted TOML value: decimal integers and floats without underscores, booleans and dates unchanged.
/// Nothing if it is not such a value.
std::optional<std::string> read_toml_scalar(std::string_view word);

/// True for a date without a time, such as 2026-07-28.
bool is_toml_date(std::string_view word);

}  // namespace fairlead::config
