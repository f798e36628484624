#include "config/variables.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace fairlead::config {
namespace {

std::unexpected<Error> no_name(std::string_view inside) {
  if (inside.starts_with("input:")) {
    return fail(ErrorKind::invalid, fmt::format("${{{}}} asks the user of an editor, which fairlead cannot do; set an "
                                                "environment variable and write ${{NAME}}",
                                                inside));
  }
  return fail(ErrorKind::invalid,
              fmt::format("${{{}}} is not the name of an environment variable; write ${{NAME}} or ${{NAME:-default}}, "
                          "or $$ for a dollar",
                          inside));
}

Result<std::string> value_of(std::string_view inside, const Environment& environment, Expanded& out) {
  if (inside.starts_with("env:")) inside.remove_prefix(4);
  const auto dash = inside.find(":-");
  const std::string name(inside.substr(0, dash));
  if (!is_variable_name(name)) return no_name(inside);
  auto value = environment(name);
  const bool has_default = dash != std::string_view::npos;
  // As in a shell, `:-` also replaces an empty value.
  if (value && !(has_default && value->empty())) {
    out.variables.push_back(name);
    return *std::move(value);
  }
  if (has_default) return std::string(inside.substr(dash + 2));
  return fail(ErrorKind::invalid, fmt::format("the variable {0} is not set; set it, or write ${{{0}:-default}}", name));
}

}  // namespace

bool is_variable_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, fits) && !(text.front() >= '0' && text.front() <= '9');
}

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
}

Result<Expanded> expand(std::string_view text, const Environment& environment) {
  Expanded out;
  while (true) {
    const auto dollar = text.find('$');
    out.text += text.substr(0, dollar);
    if (dollar == std::string_view::npos) return out;
    text.remove_prefix(dollar + 1);
    if (!text.starts_with('{')) {
      out.text += '$';
      if (text.starts_with('$')) text.remove_prefix(1);
      continue;
    }
    const auto end = text.find('}');
    if (end == std::string_view::npos) {
      return fail(ErrorKind::invalid, "a ${ has no } after it; write ${NAME}, or $$ for a dollar");
    }
    auto value = value_of(text.substr(1, end - 1), environment, out);
    if (!value) return std::unexpected(std::move(value.error()));
    out.text += *value;
    text.remove_prefix(end + 1);
  }
}

}  // namespace fairlead::config
