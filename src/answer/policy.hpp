#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "answer/config.hpp"

namespace fairlead::answer {

/// Counts the built-in texts, so that a report can say which one a model was given.
constexpr std::string_view policy_revision = "fairlead-1";

/// What the model is told before every question, unless a file says otherwise.
std::string_view builtin_policy();

/// The built-in text, a file's, or both, as the configuration wants it. A file that cannot be read costs a warning, and
/// the built-in text is used.
std::string system_policy(const SystemPolicy& wish, std::vector<std::string>& warnings);

}  // namespace fairlead::answer
