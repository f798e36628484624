#pragma once

#include <algorithm>
#include <fairlead/protocol/headers.hpp>
#include <string>
#include <string_view>

namespace fairlead::http {

/// Whether a field's value, a list separated by commas, has this member; case does not matter.
constexpr bool list_has(std::string_view list, std::string_view member) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (protocol::same_header(protocol::trim_header(list.substr(0, end)), member)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// Of ASCII letters.
inline std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

}  // namespace fairlead::http
