#pragma once

#include <fairlead/base/result.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Looks a variable up.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// That of this process.
Environment process_environment();

/// A text with its variables filled in.
struct Expanded {
  std::string text;
  std::vector<std::string> variables = {};  ///< Those that were.
};

/// Fills in `${NAME}` and `${NAME:-default}`, also as editors write them, `${env:NAME}`; `$$` is one dollar. A variable
/// that is not set and has no default is an error that names it.
Result<Expanded> expand(std::string_view text, const Environment& environment);

}  // namespace fairlead::gateway
