#include "gateway/config/step_text.hpp"

#include <fmt/format.h>

#include "config/shell_words.hpp"

namespace fairlead::gateway {
namespace {

std::string argument_text(const std::string& name, const std::string& value) {
  return name.empty() ? config::in_quotes(value) : name + "=" + config::in_quotes(value);
}

}  // namespace

std::string step_text(const MiddlewareConfig& step, const config::SecretMask& mask) {
  std::string arguments;
  for (const auto& [key, value] : step.arguments) {
    // Any header may hold a secret; the arguments of `forward` are header names only.
    const bool of_headers = step.name == "headers";
    const bool is_header = of_headers && key != "caller" && key != "forward";
    const auto masked = is_header ? mask.header(key, value) : mask.value(key, value);
    const auto& shown = of_headers && key == "forward" ? value : masked;
    arguments += (arguments.empty() ? "" : ", ") + argument_text(key, shown);
  }
  return arguments.empty() ? step.name : fmt::format("{}({})", step.name, arguments);
}

}  // namespace fairlead::gateway
