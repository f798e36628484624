#include <fairlead/gateway/arguments.hpp>

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "base/nearest.hpp"

namespace fairlead::gateway {

Arguments::Arguments(std::string middleware, std::string usage, ArgumentList given)
    : middleware_(std::move(middleware)), usage_(std::move(usage)), left_(std::move(given)) {}

std::optional<std::string> Arguments::take(std::string_view name) {
  known_.emplace_back(name);
  const auto named = [](std::string_view wanted) {
    return [wanted](const auto& argument) { return argument.first == wanted; };
  };
  auto found = std::ranges::find_if(left_, named(name));
  if (found == left_.end()) found = std::ranges::find_if(left_, named(""));
  if (found == left_.end()) return std::nullopt;
  auto value = std::move(found->second);
  left_.erase(found);
  if (std::ranges::any_of(left_, named(name))) wrong(name, "is given twice");
  return value;
}

std::optional<std::string> Arguments::text(std::string_view name) {
  auto value = take(name);
  if (value && value->empty()) wrong(name, "is empty");
  return value;
}

std::optional<Duration> Arguments::duration(std::string_view name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  const auto duration = read_duration(*value);
  if (!duration) wrong(name, duration.error().message);
  return duration ? std::optional(*duration) : std::nullopt;
}

std::optional<std::int64_t> Arguments::number(std::string_view name, std::int64_t least, std::int64_t most) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  std::int64_t number = 0;
  const auto* last = value->data() + value->size();
  const auto [end, error] = std::from_chars(value->data(), last, number);
  if (error == std::errc{} && end == last && number >= least && number <= most) return number;
  wrong(name, fmt::format("'{}' is no whole number from {} to {}", *value, least, most));
  return std::nullopt;
}

std::optional<bool> Arguments::flag(std::string_view name) {
  const auto value = take(name);
  if (!value) return std::nullopt;
  if (*value == "true" || *value == "yes" || *value == "on") return true;
  if (*value == "false" || *value == "no" || *value == "off") return false;
  wrong(name, fmt::format("'{}' is neither true nor false", *value));
  return std::nullopt;
}

std::vector<std::string> Arguments::texts(std::string_view name) {
  return take_all(name, true);
}

std::vector<std::string> Arguments::named(std::string_view name) {
  return take_all(name, false);
}

std::vector<std::string> Arguments::take_all(std::string_view name, bool nameless_too) {
  known_.emplace_back(name);
  std::vector<std::string> all;
  std::erase_if(left_, [&](auto& argument) {
    const bool is_meant = argument.first == name || (nameless_too && argument.first.empty());
    if (is_meant) all.push_back(std::move(argument.second));
    return is_meant;
  });
  return all;
}

ArgumentList Arguments::pairs() {
  ArgumentList all;
  for (auto& [name, value] : std::exchange(left_, {})) {
    const auto equals = name.empty() ? value.find('=') : std::string::npos;
    if (name.empty() && (equals == 0 || equals == std::string::npos)) {
      complain(fmt::format("'{}' names nothing; write name=value", value));
      continue;
    }
    auto key = name.empty() ? value.substr(0, equals) : std::move(name);
    if (std::ranges::find(all, key, &ArgumentList::value_type::first) != all.end()) wrong(key, "is given twice");
    all.emplace_back(std::move(key), equals == std::string::npos ? std::move(value) : value.substr(equals + 1));
  }
  return all;
}

void Arguments::wrong(std::string_view name, std::string_view why) {
  complain(fmt::format("{}: {}", name, why));
}

void Arguments::complain(std::string text) {
  if (!mistake_) mistake_ = std::move(text);
}

Result<void> Arguments::end() {
  if (!mistake_ && !left_.empty()) {
    const auto& [name, value] = left_.front();
    const auto meant = name.empty() ? std::nullopt : nearest(name, known_);
    complain(name.empty()
                 ? fmt::format("'{}' is one argument too many", value)
                 : fmt::format("it has no argument '{}'{}", name, meant ? "; is '" + *meant + "' meant?" : ""));
  }
  if (!mistake_) return {};
  return fail(ErrorKind::invalid, fmt::format("{}: {}; for example: {}", middleware_, *mistake_, usage_));
}

}  // namespace fairlead::gateway
