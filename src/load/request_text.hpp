#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::load {

/// What stands for the number of a call in a pattern.
inline constexpr std::string_view id_mark = "{id}";

/// Calls are numbered from here, so that every number has nine digits and a request keeps its length.
inline constexpr std::uint32_t first_id = 100'000'000;
inline constexpr std::size_t id_digits = 9;

/// How long a pattern is once its marks are numbers.
std::size_t filled_size(std::string_view pattern);

/// A request as it goes on the wire, made once from a pattern; then only the digits of its number change.
class RequestText {
 public:
  explicit RequestText(std::string_view pattern);

  /// Good until the next one.
  std::string_view with(std::uint32_t id);

 private:
  std::string text_;
  std::vector<std::size_t> places_;
};

}  // namespace fairlead::load
