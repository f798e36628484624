#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace fairlead::json {

/// A string as a template argument.
template <std::size_t N>
struct FixedString {
  char bytes[N]{};

  consteval FixedString(const char (&text)[N]) { std::copy_n(text, N, bytes); }  // NOLINT(google-explicit-constructor)
  constexpr std::string_view view() const { return {bytes, N - 1}; }
};

}  // namespace fairlead::json
