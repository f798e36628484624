#include <algorithm>
#include <fmt/format.h>

#include "json/schema/equality.hpp"
#include "json/schema/evaluator.hpp"
#include "json/schema/regex.hpp"
#include "json/schema/utf8.hpp"

namespace fairlead::json::schema {

namespace {

constexpr std::size_t most_values_listed = 20;

bool is_among(const Constants& constants, const Value& value) {
  const auto same = [&](const Constants::Entry& entry) { return equal(entry.value, value); };
  if (constants.by_hash.empty()) return std::ranges::any_of(constants.entries, same);
  const auto hash = hash_of(value);
  const auto found =
      std::ranges::equal_range(constants.by_hash, hash, {}, &std::pair<std::uint64_t, std::size_t>::first);
  return std::ranges::any_of(found, [&](const auto& entry) { return same(constants.entries[entry.second]); });
}

std::string describe(const Constants& constants, const Value& value) {
  const auto& entries = constants.entries;
  if (entries.empty()) return "no value is allowed here";
  if (entries.size() == 1)
    return fmt::format("must be {}, got {}", json_excerpt(entries.front().value), json_excerpt(value));
  std::vector<std::string> allowed;
  for (std::size_t i = 0; i < std::min(entries.size(), most_values_listed); ++i)
    allowed.push_back(json_excerpt(entries[i].value));
  if (entries.size() > most_values_listed)
    allowed.push_back(fmt::format("{} more", entries.size() - most_values_listed));
  return fmt::format("must be one of {}; got {}", joined(allowed, " or "), json_excerpt(value));
}

struct Bound {
  const std::optional<Number>& limit;
  bool lower;
  bool exclusive;

  bool admits(const Number& number) const {
    const auto order = compare(number, *limit);
    return (lower ? order > 0 : order < 0) || (!exclusive && order == 0);
  }

  std::string_view phrase() const {
    if (lower) return exclusive ? "greater than" : "at least";
    return exclusive ? "less than" : "at most";
  }
};

std::string characters(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "character" : "characters");
}

}  // namespace

bool Evaluator::constants(const Frame& frame, const Constants& constants) {
  const auto cost = constants.by_hash.empty() ? constants.cost : comparison_cost(frame.value, steps_left_);
  if (!spend(cost, frame.path)) return false;
  return is_among(constants, frame.value) || violate(frame.path, [&] { return describe(constants, frame.value); });
}

bool Evaluator::number(const Frame& frame, const NumberRules& rules) {
  const auto number = number_of(frame.value);
  bool holds = multiple(frame, rules, *number);
  for (const auto& bound : {Bound{rules.minimum, true, false}, Bound{rules.exclusive_minimum, true, true},
                            Bound{rules.maximum, false, false}, Bound{rules.exclusive_maximum, false, true}}) {
    if (!bound.limit || bound.admits(*number)) continue;
    holds = violate(frame.path, [&] {
      return fmt::format("must be {} {}, got {}", bound.phrase(), json_excerpt(*bound.limit), json_excerpt(*number));
    });
  }
  return holds;
}

bool Evaluator::multiple(const Frame& frame, const NumberRules& rules, const Number& number) {
  if (!rules.multiple_of) return true;
  const auto decimal = decimal_of(number);
  if (decimal && is_multiple(*decimal, rules.divisor)) return true;
  return violate(frame.path, [&] {
    return fmt::format("must be a multiple of {}, got {}", json_excerpt(*rules.multiple_of), json_excerpt(number));
  });
}

bool Evaluator::string(const Frame& frame, const StringRules& rules) {
  const std::string_view text(frame.value.get_string());
  const auto format_cost = rules.format == nullptr ? 0 : text.size();
  const auto pattern_cost = rules.pattern ? search_cost(*rules.pattern, text) : 0;
  if (!spend(1 + text.size() / 64 + format_cost + pattern_cost, frame.path)) return false;
  bool holds = length(frame, rules, text);
  if (rules.pattern && !matches(*rules.pattern, text)) {
    holds = violate(frame.path, [&] {
      return fmt::format("must match the pattern {}, got {}", quoted_text(rules.pattern_text), quoted_text(text));
    });
  }
  if (rules.format != nullptr && !rules.format(text)) {
    holds = violate(frame.path,
                    [&] { return fmt::format("must be a valid {}, got {}", rules.format_name, quoted_text(text)); });
  }
  return holds;
}

bool Evaluator::length(const Frame& frame, const StringRules& rules, std::string_view text) {
  // A character has one to four bytes, which decides most strings without counting.
  if (text.size() / 4 >= rules.min_length && text.size() <= rules.max_length) return true;
  const auto count = count_code_points(text);
  if (count < rules.min_length) {
    return violate(frame.path,
                   [&] { return fmt::format("must have at least {}, got {}", characters(rules.min_length), count); });
  }
  if (count <= rules.max_length) return true;
  return violate(frame.path,
                 [&] { return fmt::format("must have at most {}, got {}", characters(rules.max_length), count); });
}

}  // namespace fairlead::json::schema
