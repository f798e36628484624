#include "base/redact/secret_variables.hpp"

#include <algorithm>
#include <unistd.h>

namespace fairlead {
namespace {

// Working directories; their names look like "password".
bool names_a_folder(std::string_view name) {
  return name == "PWD" || name == "OLDPWD";
}

bool is_secret_name(const Redactor& judge, std::string_view name) {
  const auto line = std::string(name) + ": value";
  return judge.redact(line) != line;
}

}  // namespace

bool is_secret_variable(const Redactor& judge, std::string_view name, std::string_view value) {
  if (names_a_folder(name) || value.size() < Redactor::shortest_secret) return false;
  const auto setting = std::string(name) + "=" + std::string(value);
  return judge.redact(setting) != setting;
}

std::vector<std::string> environment_secrets() {
  const Redactor judge;
  std::vector<std::string> secrets;
  for (char** each = ::environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view setting(*each);
    const auto equals = setting.find('=');
    if (equals == std::string_view::npos) continue;
    const auto value = setting.substr(equals + 1);
    if (is_secret_variable(judge, setting.substr(0, equals), value)) secrets.emplace_back(value);
  }
  return secrets;
}

std::vector<std::string> redacted_command(const std::vector<std::string>& words, const Redactor& redactor) {
  std::vector<std::string> shown;
  bool secret_next = false;
  for (const auto& word : words) {
    const bool option = word.starts_with('-');
    shown.push_back(secret_next && !option ? std::string(Redactor::mark) : redactor.redact(word));
    const auto name = std::string_view(word).substr(std::min(word.find_first_not_of('-'), word.size()));
    secret_next = option && is_secret_name(redactor, name);
  }
  return shown;
}

}  // namespace fairlead
