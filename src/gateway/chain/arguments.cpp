#include <fairlead/gateway/arguments.hpp>

#include <algorithm>
#include <fmt/format.h>

#include "base/closest_match.hpp"
#include "base/duration.hpp"
#include "base/parse_number.hpp"

namespace fairlead::gateway {

MiddlewareArguments::MiddlewareArguments(std::string middleware, std::string usage, ArgumentList given)
    : middleware_(std::move(middleware)), usage_(std::move(usage)), unread_(std::move(given)) {}

std::optional<std::string> MiddlewareArguments::take(std::string_view name) {
  names_read_.emplace_back(name);
  const auto named = [](std::string_view wanted) {
    return [wanted](const auto& argument) { return argument.first == wanted; };
  };
  auto found = std::ranges::find_if(unread_, named(name));
  if (found == unread_.end()) found = std::ranges::find_if(unread_, named(""));
  if (found == unread_.end()) return std::nullopt;
  auto value = std::move(found->second);
  unread_.erase(found);
  if (std::ranges::any_of(unread_, named(name))) report_error(name, "is given twice");
  return value;
}

std::optional<std::string> MiddlewareArguments::text(std::string_view name) {
  auto value = take(name);
  if (value && value->empty()) report_error(name, "is empty");
  return value;
}

std::optional<Duration> MiddlewareArguments::duration(std::string_view name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  const auto duration = read_duration(*value);
  if (!duration) report_error(name, duration.error().message);
  return duration ? std::optional(*duration) : std::nullopt;
}

std::optional<std::int64_t> MiddlewareArguments::number(std::string_view name, std::int64_t min, std::int64_t max) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  const auto number = parse_number<std::int64_t>(*value);
  if (number && *number >= min && *number <= max) return number;
  report_error(name, fmt::format("expected an integer from {1} to {2}, got '{0}'", *value, min, max));
  return std::nullopt;
}

std::optional<bool> MiddlewareArguments::flag(std::string_view name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (*value == "true" || *value == "yes" || *value == "on") return true;
  if (*value == "false" || *value == "no" || *value == "off") return false;
  report_error(name, fmt::format("expected true or false, got '{}'", *value));
  return std::nullopt;
}

std::vector<std::string> MiddlewareArguments::texts(std::string_view name) {
  return take_all(name, true);
}

std::vector<std::string> MiddlewareArguments::named(std::string_view name) {
  return take_all(name, false);
}

std::vector<std::string> MiddlewareArguments::take_all(std::string_view name, bool include_unnamed) {
  names_read_.emplace_back(name);
  std::vector<std::string> all;
  std::erase_if(unread_, [&](auto& argument) {
    const bool matches = argument.first == name || (include_unnamed && argument.first.empty());
    if (matches) all.push_back(std::move(argument.second));
    return matches;
  });
  return all;
}

ArgumentList MiddlewareArguments::pairs() {
  ArgumentList all;
  for (auto& [name, value] : std::exchange(unread_, {})) {
    const auto equals = name.empty() ? value.find('=') : std::string::npos;
    if (name.empty() && (equals == 0 || equals == std::string::npos)) {
      set_error(fmt::format("expected name=value, got '{}'", value));
      continue;
    }
    auto key = name.empty() ? value.substr(0, equals) : std::move(name);
    if (std::ranges::find(all, key, &ArgumentList::value_type::first) != all.end()) report_error(key, "is given twice");
    all.emplace_back(std::move(key), equals == std::string::npos ? std::move(value) : value.substr(equals + 1));
  }
  return all;
}

void MiddlewareArguments::report_error(std::string_view name, std::string_view why) {
  set_error(fmt::format("{}: {}", name, why));
}

void MiddlewareArguments::set_error(std::string text) {
  if (!error_) error_ = std::move(text);
}

Result<void> MiddlewareArguments::finish() {
  if (!error_ && !unread_.empty()) {
    const auto& [name, value] = unread_.front();
    const auto suggestion = name.empty() ? std::nullopt : closest_match(name, names_read_);
    set_error(name.empty() ? fmt::format("unexpected argument '{}'", value)
                           : fmt::format("unknown argument '{}'{}", name,
                                         suggestion ? "; did you mean '" + *suggestion + "'?" : ""));
  }
  if (!error_) return {};
  return fail(ErrorKind::invalid, fmt::format("{}: {}; for example: {}", middleware_, *error_, usage_));
}

}  // namespace fairlead::gateway
