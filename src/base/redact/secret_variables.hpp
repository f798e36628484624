#pragma once

#include <fairlead/base/redactor.hpp>

namespace fairlead {

/// True if an environment variable holds a secret, judged by its name or by the pattern of its value.
bool is_secret_variable(const Redactor& judge, std::string_view name, std::string_view value);

/// Secret values in the environment of this process, which child processes inherit.
std::vector<std::string> environment_secrets();

/// Redacts the words of a command line that look like secrets, and the word after options such as `--token`.
std::vector<std::string> redacted_command(const std::vector<std::string>& words, const Redactor& redactor);

}  // namespace fairlead
