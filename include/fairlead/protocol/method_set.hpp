#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace fairlead::protocol {

/// A set of method names in insertion order. A revision derives its set from the previous one by += and -=.
class MethodSet {
 public:
  constexpr MethodSet() = default;
  constexpr MethodSet(std::initializer_list<std::string_view> names) { *this += names; }

  constexpr MethodSet& operator+=(std::initializer_list<std::string_view> names) {
    for (const auto name : names) names_.at(count_++) = name;
    return *this;
  }
  constexpr MethodSet& operator-=(std::initializer_list<std::string_view> names) {
    for (const auto name : names) {
      count_ = static_cast<std::size_t>(std::remove(names_.begin(), names_.begin() + count_, name) - names_.begin());
    }
    return *this;
  }

  constexpr auto begin() const { return names_.begin(); }
  constexpr auto end() const { return names_.begin() + count_; }
  constexpr std::size_t size() const { return count_; }
  constexpr bool contains(std::string_view name) const {
    // The last character first: it differs between most names of one length.
    return std::any_of(begin(), end(), [&](std::string_view other) {
      return other.size() == name.size() && other.back() == name.back() && other == name;
    });
  }

 private:
  std::array<std::string_view, 24> names_{};
  std::size_t count_ = 0;
};

/// The methods that a revision or an extension defines, by direction.
struct MethodTable {
  MethodSet client_requests;
  MethodSet server_requests;
  MethodSet client_notifications;
  MethodSet server_notifications;
  MethodSet cacheable;  ///< Methods whose results have cache hints.
};

}  // namespace fairlead::protocol
