#pragma once

#include <array>
#include <boost/describe/enumerators.hpp>
#include <boost/mp11/algorithm.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The named values of an enumeration, found at compile time.
namespace fairlead::json {
namespace detail {

// Removes a trailing underscore, which distinguishes a member from a C++ keyword: `default_` is "default" in JSON.
constexpr std::string_view json_name(std::string_view name) {
  if (name.size() > 1 && name.ends_with('_')) name.remove_suffix(1);
  return name;
}

template <class E, E... values>
constexpr std::string_view spelled_values() {
  return __PRETTY_FUNCTION__;
}

// A named value is spelled `scope::E::name`, any other as a cast: `(scope::E)7`.
constexpr std::string_view value_name(std::string_view spelled) {
  const auto before = spelled.find_last_of(":) ");
  const auto name = before == std::string_view::npos ? spelled : spelled.substr(before + 1);
  if (name.empty() || name[0] == '-' || (name[0] >= '0' && name[0] <= '9')) return {};
  return json_name(name);
}

/// Parses the list of values at the end of `spelled_values`: `values = {a, (E)1}` with GCC, `values = <a, (E)1>` with
/// clang.
class ValueList {
 public:
  constexpr explicit ValueList(std::string_view spelled) : text_(spelled.data()), size_(spelled.size()) {
    constexpr std::string_view mark = "values = ";
    at_ = spelled.find(mark) + mark.size() + 1;
  }

  /// The next value's name, empty if it has none.
  constexpr std::string_view next() {
    if (text_[at_] == ' ') ++at_;
    if (skip_cast()) return {};
    const std::size_t from = at_;
    find_end();
    const std::string_view spelled(text_ + from, at_ - from);
    ++at_;
    const auto name = value_name(spelled);
    if (name.empty()) cast_ = spelled.find_last_of(')') + 1;
    return name;
  }

  constexpr bool ended() const { return ended_; }

 private:
  // Most values have no name. Skipping them by length keeps compile time low.
  constexpr bool skip_cast() {
    if (cast_ == 0 || at_ + cast_ >= size_ || text_[at_] != '(' || text_[at_ + cast_ - 1] != ')') return false;
    std::size_t end = at_ + cast_ + (text_[at_ + cast_] == '-' ? 1 : 0);
    while (text_[end] >= '0' && text_[end] <= '9') ++end;
    ended_ = text_[end] != ',';
    if (ended_ && text_[end] != '}' && text_[end] != '>') return false;
    at_ = end + 1;
    return true;
  }

  // A scope may contain brackets and commas.
  constexpr void find_end() {
    for (std::size_t depth = 0; at_ < size_; ++at_) {
      const char c = text_[at_];
      const bool opens = c == '(' || c == '<' || c == '{' || c == '[';
      const bool closes = c == ')' || c == '>' || c == '}' || c == ']';
      ended_ = depth == 0 && closes;
      if (ended_ || (depth == 0 && c == ',')) return;
      if (opens) ++depth;
      if (closes) --depth;
    }
  }

  const char* text_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::size_t cast_ = 0;  ///< Length of `(scope::E)`; 0 until it is known.
  bool ended_ = false;
};

/// A value of an enumeration and its name; an empty name for a value without one.
template <class E>
struct NamedValue {
  E value = {};
  std::string_view name = {};
};

inline constexpr std::int64_t lowest_enumerator = -128, highest_enumerator = 1023;

/// All candidate values: from `lowest_enumerator` to `highest_enumerator`, then the powers of two above.
template <class E>
struct ScannedValues {
  using U = std::underlying_type_t<E>;
  using Limits = std::numeric_limits<U>;
  static constexpr bool is_small = Limits::digits < 11;
  static constexpr std::int64_t first =
      !Limits::is_signed ? 0 : (Limits::digits < 7 ? std::int64_t{Limits::min()} : lowest_enumerator);
  static constexpr std::int64_t last = is_small ? static_cast<std::int64_t>(Limits::max()) : highest_enumerator;
  static constexpr std::size_t in_row = static_cast<std::size_t>(last - first + 1);
  static constexpr std::size_t powers = is_small ? 0 : static_cast<std::size_t>(Limits::digits) - 10;
  static constexpr std::size_t count = in_row + powers;

  static constexpr E at(std::size_t index) {
    if (index < in_row) return static_cast<E>(static_cast<U>(first + static_cast<std::int64_t>(index)));
    return static_cast<E>(static_cast<U>(std::uint64_t{1} << (10 + index - in_row)));
  }

  // In blocks: one function per value compiles slowly, one for all exceeds compiler limits.
  static constexpr std::size_t block = 128;
  template <std::size_t from, std::size_t... I>
  static constexpr auto names_from(std::index_sequence<I...>) {
    std::array<std::string_view, sizeof...(I)> names{};
    ValueList spelled(spelled_values<E, at(from + I)...>());
    for (auto& name : names) name = spelled.next();
    if (!spelled.ended()) {
      throw "this compiler spells the enumeration in an unknown form: describe it with BOOST_DESCRIBE_ENUM";
    }
    return names;
  }

  template <std::size_t from = 0>
  static constexpr void look(std::array<NamedValue<E>, count>& all) {
    if constexpr (from < count) {
      constexpr auto names =
          names_from<from>(std::make_index_sequence<(count - from < block ? count - from : block)>{});
      for (std::size_t i = 0; i < names.size(); ++i) all[from + i] = {at(from + i), names[i]};
      look<from + names.size()>(all);
    }
  }

  static constexpr std::array<NamedValue<E>, count> list = [] {
    std::array<NamedValue<E>, count> all{};
    look(all);
    return all;
  }();
};

template <class E>
concept DescribedEnum = boost::describe::has_describe_enumerators<E>::value;

template <class E>
inline constexpr auto enumerator_candidates = [] {
  if constexpr (DescribedEnum<E>) {
    return []<class... D>(boost::mp11::mp_list<D...>) {
      return std::array<NamedValue<E>, sizeof...(D)>{NamedValue<E>{D::value, json_name(D::name)}...};
    }(boost::mp11::mp_rename<boost::describe::describe_enumerators<E>, boost::mp11::mp_list>{});
  } else {
    return ScannedValues<E>::list;
  }
}();

}  // namespace detail

/// The named values of an enumeration, lowest first: `count`, `names` as in JSON, `values`.
///
/// Finds the values from -128 to 1023 and all powers of two. For other values, use BOOST_DESCRIBE_ENUM, which lists
/// every value.
template <class E>
  requires std::is_enum_v<E>
struct Enumerators {
  // Without a fixed underlying type, clang treats a cast to an unnamed value as undefined.
  static_assert(
      detail::DescribedEnum<E> || requires { E{0}; }, "write `enum class`, or give the enumeration an underlying type");

 private:
  static constexpr std::size_t count_values() {
    std::size_t found = 0;
    for (const auto& each : detail::enumerator_candidates<E>) found += each.name.empty() ? 0 : 1;
    return found;
  }

 public:
  static constexpr std::size_t count = count_values();
  static_assert(count > 0,
                "found no name from -128 to 1023, and of no power of two: describe the enumeration with "
                "BOOST_DESCRIBE_ENUM");

 private:
  static constexpr std::array<detail::NamedValue<E>, count> named = [] {
    std::array<detail::NamedValue<E>, count> found{};
    std::size_t next = 0;
    for (const auto& each : detail::enumerator_candidates<E>) {
      if (!each.name.empty()) found[next++] = each;
    }
    return found;
  }();

 public:
  static constexpr std::array<std::string_view, count> names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, count>{named[I].name...};
  }(std::make_index_sequence<count>{});
  static constexpr std::array<E, count> values = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<E, count>{named[I].value...};
  }(std::make_index_sequence<count>{});

  /// Empty for a value without a name.
  static constexpr std::string_view find(E value) {
    for (std::size_t i = 0; i < count; ++i) {
      if (values[i] == value) return names[i];
    }
    return {};
  }
};

/// The name of a value as in JSON. Throws std::invalid_argument for a value without a name, such as `a | b` of flags.
template <class E>
  requires std::is_enum_v<E>
std::string_view enum_name(E value) {
  const auto name = Enumerators<E>::find(value);
  if (!name.empty()) return name;
  throw std::invalid_argument("the value " + std::to_string(static_cast<std::underlying_type_t<E>>(value)) +
                              " of an enumeration has no name and cannot be written as JSON; its names end with '" +
                              std::string(Enumerators<E>::names.back()) + "'");
}

}  // namespace fairlead::json
