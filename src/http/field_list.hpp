#pragma once

#include <algorithm>
#include <fairlead/protocol/headers.hpp>
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

}  // namespace fairlead::http
