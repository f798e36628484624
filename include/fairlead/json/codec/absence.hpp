#pragma once

#include <fairlead/json/codec/containers.hpp>
#include <fairlead/json/fixed_string.hpp>
#include <fairlead/json/payload.hpp>

/// Members that may be absent from a JSON object because of their type.
namespace fairlead::json {

/// Keeps unknown members in their order and byte for byte, and writes them after the known ones.
struct Extra {
  std::vector<std::pair<std::string, Payload>> members;

  bool operator==(const Extra&) const = default;
};

namespace detail {

template <class T>
inline constexpr bool may_be_absent = false;
template <class T>
inline constexpr bool may_be_absent<std::optional<T>> = true;
template <class T, FixedString text>
inline constexpr bool may_be_absent<Doc<T, text>> = may_be_absent<T>;
template <>
inline constexpr bool may_be_absent<Extra> = true;

template <class T>
bool is_absent(const T&) {
  return false;
}
template <class T>
bool is_absent(const std::optional<T>& value) {
  return !value;
}
template <class T, FixedString text>
bool is_absent(const Doc<T, text>& doc) {
  return is_absent(doc.value);
}

}  // namespace detail
}  // namespace fairlead::json
