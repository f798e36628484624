#pragma once

#include "answer/config.hpp"

namespace fairlead::answer {

/// Version of the built-in text, for logs.
constexpr std::string_view policy_revision = "fairlead-1";

/// The default instructions for the model.
std::string_view builtin_policy();

/// The built-in text, the text of a file, or both. If the file cannot be read, adds a warning and returns the built-in
/// text.
std::string system_policy(const SystemPolicy& policy, std::vector<std::string>& warnings);

}  // namespace fairlead::answer
