#pragma once

#include <fairlead/json/fixed_string.hpp>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>

#include "config/fields.hpp"
#include "config/scalars.hpp"

/// Reads and prints the members of configuration structs by type.
namespace fairlead::config {

/// `read` parses the expanded text; its second argument is the text as written, for errors.
template <class V, class Read>
void read_scalar(ReadContext& context, const NodeRef& ref, V& into, Read read) {
  const auto given = context.text(ref);
  if (!given) return;
  auto value = read(given->text, ref.node.text);
  if (!value) return context.error(ref, value.error().message);
  into = static_cast<V>(*std::move(value));
  context.record_source(ref, given->variables);
}

/// Codec of a struct: its keys are those of `Fields<V>::all`.
template <class V>
struct FieldCodec {
  static void read(ReadContext& context, const NodeRef& ref, V& into) {
    context.record_source(ref);
    read_fields(context, ref, into);
  }
  static void show(Printer& printer, std::string_view name, const V& value) {
    printer.enter(name);
    show_fields(printer, value);
    printer.leave();
  }
};

template <class E>
  requires std::is_enum_v<E>
struct FieldCodec<E> {
  static void read(ReadContext& context, const NodeRef& ref, E& into) { read_scalar(context, ref, into, read_enum<E>); }
  static void show(Printer& printer, std::string_view name, E value) { printer.value(name, write_enum(value)); }
};

template <>
struct FieldCodec<bool> {
  static void read(ReadContext& context, const NodeRef& ref, bool& into) { read_scalar(context, ref, into, read_flag); }
  static void show(Printer& printer, std::string_view name, bool value) {
    printer.value(name, value ? "true" : "false");
  }
};

template <class N>
  requires std::is_unsigned_v<N>
struct FieldCodec<N> {
  static void read(ReadContext& context, const NodeRef& ref, N& into) {
    constexpr N most = sizeof(N) < 4 ? std::numeric_limits<N>::max() : 1'000'000;
    read_scalar(context, ref, into,
                [](std::string_view text, std::string_view shown) { return read_number<N>(text, shown, 0, most); });
  }
  static void show(Printer& printer, std::string_view name, N value) { printer.value(name, std::to_string(value)); }
};

template <>
struct FieldCodec<Duration> {
  static void read(ReadContext& context, const NodeRef& ref, Duration& into) {
    read_scalar(context, ref, into, read_time);
  }
  static void show(Printer& printer, std::string_view name, Duration value) { printer.value(name, write_time(value)); }
};

template <>
struct FieldCodec<ByteSize> {
  static void read(ReadContext& context, const NodeRef& ref, ByteSize& into) {
    read_scalar(context, ref, into, read_bytes);
  }
  static void show(Printer& printer, std::string_view name, ByteSize value) { printer.value(name, write_bytes(value)); }
};

template <>
struct FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
  static void show(Printer& printer, std::string_view name, const std::string& value);
};

template <>
struct FieldCodec<std::vector<std::string>> {
  static void read(ReadContext& context, const NodeRef& ref, std::vector<std::string>& into);
  static void show(Printer& printer, std::string_view name, const std::vector<std::string>& value);
};

/// A number with limits.
template <auto min, auto max>
struct RangeCodec {
  template <class N>
  static void read(ReadContext& context, const NodeRef& ref, N& into) {
    read_scalar(context, ref, into,
                [](std::string_view text, std::string_view shown) { return read_number<N>(text, shown, min, max); });
  }
  template <class N>
  static void show(Printer& printer, std::string_view name, N value) {
    printer.value(name, write_number(static_cast<double>(value)));
  }
};

/// A scalar that `parse` reads from the expanded text and the text as written, like `read_flag`.
template <auto parse,
          class V = typename std::invoke_result_t<decltype(parse), std::string_view, std::string_view>::value_type>
struct ParsedCodec : FieldCodec<V> {
  static void read(ReadContext& context, const NodeRef& ref, V& into) { read_scalar(context, ref, into, parse); }
};

template <json::FixedString... words>
Result<std::string> read_one_of(std::string_view text, std::string_view shown) {
  if (((text == words.view()) || ...)) return std::string(text);
  std::string all;
  ((all += (all.empty() ? "" : ", ") + std::string(words.view())), ...);
  return none_of(shown, std::move(all));
}

/// One of several words.
template <json::FixedString... words>
using WordCodec = ParsedCodec<&read_one_of<words...>>;

/// A value that may be absent. Null removes it.
template <class As>
struct OptionalCodec {
  template <class V>
  static void read(ReadContext& context, const NodeRef& ref, std::optional<V>& into) {
    context.record_source(ref);
    if (ref.node.kind == Node::Kind::null) return into.reset();
    if (!into) into.emplace();
    As::read(context, ref, *into);
  }
  template <class V>
  static void show(Printer& printer, std::string_view name, const std::optional<V>& value) {
    if (value) As::show(printer, name, *value);
  }
};

template <class V>
struct FieldCodec<std::optional<V>> : OptionalCodec<FieldCodec<V>> {};

using Texts = std::map<std::string, std::string>;

/// Map of strings. Entries that are read again replace old ones; others stay.
template <>
struct FieldCodec<Texts> {
  static void read(ReadContext& context, const NodeRef& ref, Texts& into);
  static void show(Printer& printer, std::string_view name, const Texts& value);
};

/// Reads a map and checks each of its members with `check`.
template <class Check>
void read_texts(ReadContext& context, const NodeRef& ref, Texts& into, Check check) {
  FieldCodec<Texts>::read(context, ref, into);
  for (const auto& child : ref.node.children) {
    if (child.kind == Node::Kind::scalar) check(ref.member(child), into[child.key]);
  }
}

/// Prints a map; `shown` returns the text of each value.
template <class Shown>
void show_texts(Printer& printer, std::string_view name, const Texts& value, Shown shown) {
  Texts masked;
  for (const auto& [key, text] : value) masked[key] = shown(key, text);
  printer.map(name, masked);
}

/// Owner and type of a member pointer.
template <auto member>
struct MemberOf;
template <class T, class V, V T::* member>
struct MemberOf<member> {
  using Owner = T;
  using Value = V;
};

template <auto member, class As = FieldCodec<typename MemberOf<member>::Value>>
constexpr auto field(std::string_view name) {
  using T = typename MemberOf<member>::Owner;
  return Field<T>{name, [](ReadContext& context, const NodeRef& ref, T& into) { As::read(context, ref, into.*member); },
                  [](Printer& printer, std::string_view as, const T& of) { As::show(printer, as, of.*member); }};
}

}  // namespace fairlead::config
