#pragma once

#include <fairlead/base/redactor.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead {

/// Whether a variable of that name and value holds a secret, judged by its name or the value's shape.
bool is_secret_setting(const Redactor& judge, std::string_view name, std::string_view value);

/// Secret values in our own environment, which child processes inherit.
std::vector<std::string> environment_secrets();

/// The words of a command with secrets hidden: those that look like one, and the word behind `--token` and its like.
std::vector<std::string> redacted_words(const std::vector<std::string>& words, const Redactor& redactor);

}  // namespace fairlead
