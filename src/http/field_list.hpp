#pragma once

#include <algorithm>
#include <fairlead/protocol/headers.hpp>

#include "base/ascii.hpp"

namespace fairlead::http {

/// True if a comma-separated field value contains this member, ignoring case.
constexpr bool list_has(std::string_view list, std::string_view member) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (protocol::same_header(protocol::trim_header(list.substr(0, end)), member)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// Value of the first field of that name; nothing if absent. For `Header` and `HeaderView`.
template <class Fields>
std::optional<std::string_view> first_of(const Fields& fields, std::string_view name) {
  for (const auto& field : fields) {
    if (protocol::same_header(field.name, name)) return field.value;
  }
  return std::nullopt;
}

/// A Content-Type without its parameters.
constexpr std::string_view without_parameters(std::string_view type) {
  return protocol::trim_header(type.substr(0, type.find(';')));
}

/// Converts ASCII letters to lower case.
inline std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), ascii::lower);
  return out;
}

}  // namespace fairlead::http
