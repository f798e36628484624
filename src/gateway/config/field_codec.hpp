#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gateway/config/fields.hpp"
#include "gateway/config/scalars.hpp"

/// Reads and prints the members of configuration structs by type.
namespace fairlead::gateway {

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

/// Codec of a struct: its keys are those of `fields<V>()`.
template <class V>
struct FieldCodec {
  static void read(ReadContext& context, const NodeRef& ref, V& into) {
    context.record_source(ref);
    read_fields(context, ref, into);
  }
  static void show(ConfigPrinter& showing, std::string_view name, const V& value) {
    showing.enter(name);
    show_fields(showing, value);
    showing.leave();
  }
};

template <class E>
  requires std::is_enum_v<E>
struct FieldCodec<E> {
  static void read(ReadContext& context, const NodeRef& ref, E& into) { read_scalar(context, ref, into, read_enum<E>); }
  static void show(ConfigPrinter& showing, std::string_view name, E value) { showing.value(name, write_enum(value)); }
};

template <>
struct FieldCodec<bool> {
  static void read(ReadContext& context, const NodeRef& ref, bool& into) { read_scalar(context, ref, into, read_flag); }
  static void show(ConfigPrinter& showing, std::string_view name, bool value) {
    showing.value(name, value ? "true" : "false");
  }
};

template <class N>
  requires std::is_unsigned_v<N>
struct FieldCodec<N> {
  static void read(ReadContext& context, const NodeRef& ref, N& into) {
    constexpr std::uint64_t most = sizeof(N) < 4 ? std::numeric_limits<N>::max() : 1'000'000;
    read_scalar(context, ref, into,
                [](std::string_view text, std::string_view shown) { return read_number(text, shown, most); });
  }
  static void show(ConfigPrinter& showing, std::string_view name, N value) {
    showing.value(name, std::to_string(value));
  }
};

template <>
struct FieldCodec<Duration> {
  static void read(ReadContext& context, const NodeRef& ref, Duration& into) {
    read_scalar(context, ref, into, read_time);
  }
  static void show(ConfigPrinter& showing, std::string_view name, Duration value) {
    showing.value(name, write_time(value));
  }
};

template <>
struct FieldCodec<ByteSize> {
  static void read(ReadContext& context, const NodeRef& ref, ByteSize& into) {
    read_scalar(context, ref, into, read_bytes);
  }
  static void show(ConfigPrinter& showing, std::string_view name, ByteSize value) {
    showing.value(name, write_bytes(value));
  }
};

template <>
struct FieldCodec<std::string> {
  static void read(ReadContext& context, const NodeRef& ref, std::string& into);
  static void show(ConfigPrinter& showing, std::string_view name, const std::string& value);
};

template <>
struct FieldCodec<std::vector<std::string>> {
  static void read(ReadContext& context, const NodeRef& ref, std::vector<std::string>& into);
  static void show(ConfigPrinter& showing, std::string_view name, const std::vector<std::string>& value);
};

/// Map of strings. Entries that are read again replace old ones; others stay.
template <>
struct FieldCodec<std::map<std::string, std::string>> {
  static void read(ReadContext& context, const NodeRef& ref, std::map<std::string, std::string>& into);
  static void show(ConfigPrinter& showing, std::string_view name, const std::map<std::string, std::string>& value);
};

template <>
struct FieldCodec<ChainConfig> {
  static void read(ReadContext& context, const NodeRef& ref, ChainConfig& into);
  static void show(ConfigPrinter& showing, std::string_view name, const ChainConfig& value) {
    showing.chain(name, value);
  }
};

/// Owner and type of a member pointer.
template <auto member>
struct MemberOf;
template <class T, class V, V T::* member>
struct MemberOf<member> {
  using Owner = T;
  using Value = V;
};

template <auto member, class As = FieldCodec<typename MemberOf<member>::Value>>
constexpr auto field(std::string_view name, AppliesTo servers = AppliesTo::all) {
  using T = typename MemberOf<member>::Owner;
  return Field<T>{name, [](ReadContext& context, const NodeRef& ref, T& into) { As::read(context, ref, into.*member); },
                  [](ConfigPrinter& showing, std::string_view as, const T& of) { As::show(showing, as, of.*member); },
                  servers};
}

}  // namespace fairlead::gateway
