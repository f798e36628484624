#pragma once

#include <fairlead/server/arg.hpp>
#include <fairlead/server/fields.hpp>
#include <fairlead/server/signature.hpp>
#include <optional>
#include <vector>

namespace fairlead::server {

class Context;

namespace detail {

template <class T, std::size_t count>
constexpr void add_field(std::array<Field, count>& list, std::size_t& next) {
  if constexpr (is_arg<T>) list[next++] = make_field<typename T::Value>(T::name, T::doc);
}

/// Types that need a name in the schema, so that they cannot be handler parameters without an Arg.
template <class T>
inline constexpr bool is_nameless = std::is_scalar_v<T> || std::is_convertible_v<const T&, std::string_view>;
template <class T>
inline constexpr bool is_nameless<std::optional<T>> = true;
template <class T>
inline constexpr bool is_nameless<std::vector<T>> = true;
template <class T, std::size_t size>
inline constexpr bool is_nameless<std::array<T, size>> = true;
template <class T, json::FixedString text>
inline constexpr bool is_nameless<json::Doc<T, text>> = true;

}  // namespace detail

/// Binds the arguments of a request to the parameters of a handler and derives their schema.
template <class Tuple>
struct Parameters;

template <class... A>
struct Parameters<std::tuple<A...>> {
  template <class T>
  static constexpr bool is_context = std::is_same_v<T, Context>;
  /// A struct whose members are the arguments.
  template <class T>
  static constexpr bool is_struct = json::Reflected<T> && !is_arg<T>;
  /// Takes all arguments undecoded: a Payload, a map or a JSON value.
  template <class T>
  static constexpr bool is_whole = !is_context<T> && !is_arg<T> && !is_struct<T>;

  struct Nothing {};
  template <class T>
  using Stored = std::conditional_t<is_context<T>, Nothing, T>;
  using Values = std::tuple<Stored<std::remove_cvref_t<A>>...>;

  static_assert(
      (!detail::is_nameless<std::remove_cvref_t<A>> && ...),
      "this parameter has no name: write Arg<\"a\", int> instead of int a, or take one struct whose members are "
      "the arguments");
  static constexpr bool takes_context = (is_context<std::remove_cvref_t<A>> || ...);
  static constexpr std::size_t args = (std::size_t{is_arg<std::remove_cvref_t<A>>} + ... + 0);
  static constexpr std::size_t structs = (std::size_t{is_struct<std::remove_cvref_t<A>>} + ... + 0);
  static_assert(args <= 64, "a handler has at most 64 arguments");
  static_assert(structs <= 1, "a handler takes its arguments in one struct, not in several");
  static_assert(structs == 0 || args == 0, "a handler takes its arguments as Arg parameters or in a struct, not both");
  static_assert(((!is_context<std::remove_cvref_t<A>> || std::is_lvalue_reference_v<A>) && ...),
                "take the context by reference: Context&");

  static constexpr std::array<Field, args> fields = [] {
    std::array<Field, args> list{};
    [[maybe_unused]] std::size_t next = 0;
    (detail::add_field<std::remove_cvref_t<A>>(list, next), ...);
    return list;
  }();

  static Result<void> read(const Input& input, Values& values) {
    std::array<void*, args + 1> targets{};
    std::size_t next = 0;
    Result<void> outcome;
    std::apply([&](auto&... value) { (take(input, value, targets, next, outcome), ...); }, values);
    if (!outcome) return outcome;
    return args == 0 ? outcome : read_fields(input, fields, targets.data());
  }

  static std::string schema(bool reject_unknown) {
    std::string text;
    (
        [&] {
          using T = std::remove_cvref_t<A>;
          if constexpr (is_struct<T>) text = StructFields<T>::schema(reject_unknown);
        }(),
        ...);
    return text.empty() ? fields_schema(fields, reject_unknown) : text;
  }

  template <class F>
  static decltype(auto) call(F& function, Values& values, Context& context) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
      return function(pass<A>(std::get<I>(values), context)...);
    }(std::index_sequence_for<A...>{});
  }

  /// The fields of the Arg parameters or of the struct.
  static constexpr auto all_fields() {
    if constexpr (structs == 0) {
      return std::span<const Field>(fields);
    } else {
      std::span<const Field> found;
      (
          [&] {
            using T = std::remove_cvref_t<A>;
            if constexpr (is_struct<T>) found = StructFields<T>::fields;
          }(),
          ...);
      return found;
    }
  }

 private:
  template <class T>
  static void take(const Input& input, T& value, std::array<void*, args + 1>& targets, std::size_t& next,
                   Result<void>& outcome) {
    if constexpr (is_arg<T>) {
      targets[next++] = &value.value;
    } else if constexpr (std::is_same_v<T, Nothing>) {
    } else if constexpr (is_struct<T>) {
      outcome = StructFields<T>::read(input, value);
    } else {
      auto whole = json::decode<T>(input.json);
      if (!whole) {
        outcome = std::unexpected(bad_input(std::move(whole.error())));
      } else {
        value = std::move(*whole);
      }
    }
  }

  template <class P, class T>
  static decltype(auto) pass(T& value, Context& context) {
    if constexpr (std::is_same_v<T, Nothing>) {
      return (context);
    } else if constexpr (std::is_lvalue_reference_v<P>) {
      return (value);
    } else {
      return std::move(value);
    }
  }
};

}  // namespace fairlead::server
