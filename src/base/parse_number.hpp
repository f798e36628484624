#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace fairlead {

/// The number that the whole text spells in the grammar of std::from_chars; nothing otherwise. `base` is for integers.
template <class Number, class... Base>
std::optional<Number> parse_number(std::string_view text, Base... base) {
  Number number = {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace fairlead
