#pragma once

#include <fairlead/base/result.hpp>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace fairlead::config {

/// Returns the value of an environment variable, or nothing.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// True for letters, digits and underscores that do not begin with a digit.
bool is_variable_name(std::string_view text);

/// The environment of this process.
Environment process_environment();

/// A text with its variables expanded.
struct Expanded {
  std::string text;
  std::vector<std::string> variables = {};  ///< Names of the expanded variables.
};

/// Expands `${NAME}`, `${NAME:-default}` and `${env:NAME}`; `$$` is one dollar. Fails for a variable that is not set
/// and has no default.
Result<Expanded> expand(std::string_view text, const Environment& environment);

}  // namespace fairlead::config
