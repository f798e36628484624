#pragma once

#include <boost/describe/members.hpp>
#include <fairlead/json/enumerators.hpp>
#include <fairlead/json/tie_members.hpp>

/// Names and members of a struct, found at compile time.
///
/// Works without a macro for aggregates of up to 32 members without base class and C array; use BOOST_DESCRIBE_STRUCT
/// for other types. The names come from the compiler's spelling of a pointer to the member.
namespace fairlead::json {
namespace detail {

// Used in unevaluated contexts only: no object exists and no conversion runs.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

/// Converts to any type except the struct itself, to count the initialisers that the struct accepts.
template <class Whole>
struct AnyMember {
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Whole>)
  operator T() const {  // NOLINT(google-explicit-constructor)
    __builtin_unreachable();
  }
};

template <class T, std::size_t... I>
constexpr bool takes_initialisers(std::index_sequence<I...>) {
  return requires { T{((void)I, AnyMember<T>{})...}; };
}

// The smallest accepted count includes all members without a default; each further accepted one is one more member.
template <class T, std::size_t count = 0, bool found = false>
constexpr std::size_t count_members() {
  if constexpr (count <= 33 && takes_initialisers<T>(std::make_index_sequence<count>{})) {
    return count_members<T, count + 1, true>();
  } else if constexpr (count <= 33 && !found) {
    return count_members<T, count + 1>();
  } else {
    return found ? count - 1 : 0;
  }
}

/// Declares an object of type T without defining it; only addresses of its members are taken.
template <class T>
struct Phantom {
  const T object;
};
template <class T>
extern const Phantom<T> phantom;

template <auto value>
constexpr std::string_view spelling() {
  return __PRETTY_FUNCTION__;
}

// GCC writes `(& phantom<T>.Phantom<T>::object.T::name)`, clang `&phantom<T>.object.name`.
constexpr std::string_view member_in(std::string_view spelled) {
  const auto end = spelled.find_last_not_of(")];", spelled.find_first_of(";]", spelled.find("value = ")));
  const auto begin = spelled.find_last_of(":.>", end) + 1;
  return spelled.substr(begin, end + 1 - begin);
}

template <class T, std::size_t I>
constexpr std::string_view member_name() {
  return member_in(spelling<&pick<I>(tie_members<count_members<T>()>(phantom<T>.object))>());
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class T>
concept Described = boost::describe::has_describe_members<T>::value;

template <class T>
concept PlainAggregate = std::is_class_v<T> && std::is_aggregate_v<T> && !Described<T>;

}  // namespace detail

/// A struct whose members can be listed.
template <class T>
concept Reflected = detail::Described<T> || detail::PlainAggregate<T>;

/// The members of `T`: `count`, `names` as in JSON, and `get<I>(object)`.
template <class T>
struct Members;

template <detail::PlainAggregate T>
struct Members<T> {
  static constexpr std::size_t count = std::is_empty_v<T> ? 0 : detail::count_members<T>();
  static constexpr std::array<std::string_view, count> names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, count>{detail::json_name(detail::member_name<T, I>())...};
  }(std::make_index_sequence<count>{});

  template <std::size_t I, class Object>
  static constexpr auto& get(Object& object) {
    return detail::pick<I>(detail::tie_members<count>(object));
  }
};

template <detail::Described T>
struct Members<T> {
  using List = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;
  template <std::size_t I>
  using Descriptor = boost::mp11::mp_at_c<List, I>;

  static constexpr std::size_t count = boost::mp11::mp_size<List>::value;
  static constexpr std::array<std::string_view, count> names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, count>{detail::json_name(Descriptor<I>::name)...};
  }(std::make_index_sequence<count>{});

  template <std::size_t I, class Object>
  static constexpr auto& get(Object& object) {
    return object.*Descriptor<I>::pointer;
  }
};

template <class T, std::size_t I>
using MemberType = std::remove_cvref_t<decltype(Members<T>::template get<I>(std::declval<T&>()))>;

}  // namespace fairlead::json
