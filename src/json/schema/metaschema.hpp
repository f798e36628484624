#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fairlead::json::schema {

/// The text of a metaschema of one of the two standard dialects, by its URI without a fragment.
std::optional<std::string> builtin_metaschema(std::string_view uri);

}  // namespace fairlead::json::schema
