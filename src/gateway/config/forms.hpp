#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gateway/config/fields.hpp"
#include "gateway/config/scalars.hpp"

/// How a member of a configuration's struct is read and shown, by its type.
namespace fairlead::gateway {

/// `read` turns the text into a value or an error; its second argument is the text as it may be repeated.
template <class V, class Read>
void read_scalar(Reading& reading, const Place& place, V& into, Read read) {
  const auto given = reading.text(place);
  if (!given) return;
  auto value = read(given->text, place.node.text);
  if (!value) return reading.wrong(place, value.error().message);
  into = static_cast<V>(*std::move(value));
  reading.took(place, given->variables);
}

/// Structs, whose keys are those of `fields<V>()`.
template <class V>
struct Form {
  static void read(Reading& reading, const Place& place, V& into) {
    reading.took(place);
    read_fields(reading, place, into);
  }
  static void show(Showing& showing, std::string_view name, const V& value) {
    showing.enter(name);
    show_fields(showing, value);
    showing.leave();
  }
};

template <class E>
  requires std::is_enum_v<E>
struct Form<E> {
  static void read(Reading& reading, const Place& place, E& into) { read_scalar(reading, place, into, read_word<E>); }
  static void show(Showing& showing, std::string_view name, E value) { showing.value(name, write_word(value)); }
};

template <>
struct Form<bool> {
  static void read(Reading& reading, const Place& place, bool& into) { read_scalar(reading, place, into, read_flag); }
  static void show(Showing& showing, std::string_view name, bool value) {
    showing.value(name, value ? "true" : "false");
  }
};

template <class N>
  requires std::is_unsigned_v<N>
struct Form<N> {
  static void read(Reading& reading, const Place& place, N& into) {
    constexpr std::uint64_t most = sizeof(N) < 4 ? std::numeric_limits<N>::max() : 1'000'000;
    read_scalar(reading, place, into,
                [](std::string_view text, std::string_view shown) { return read_number(text, shown, most); });
  }
  static void show(Showing& showing, std::string_view name, N value) { showing.value(name, std::to_string(value)); }
};

template <>
struct Form<Duration> {
  static void read(Reading& reading, const Place& place, Duration& into) {
    read_scalar(reading, place, into, read_time);
  }
  static void show(Showing& showing, std::string_view name, Duration value) { showing.value(name, write_time(value)); }
};

template <>
struct Form<Bytes> {
  static void read(Reading& reading, const Place& place, Bytes& into) { read_scalar(reading, place, into, read_bytes); }
  static void show(Showing& showing, std::string_view name, Bytes value) { showing.value(name, write_bytes(value)); }
};

template <>
struct Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
  static void show(Showing& showing, std::string_view name, const std::string& value);
};

template <>
struct Form<std::vector<std::string>> {
  static void read(Reading& reading, const Place& place, std::vector<std::string>& into);
  static void show(Showing& showing, std::string_view name, const std::vector<std::string>& value);
};

/// Named texts; what is named again replaces, and the rest stays.
template <>
struct Form<std::map<std::string, std::string>> {
  static void read(Reading& reading, const Place& place, std::map<std::string, std::string>& into);
  static void show(Showing& showing, std::string_view name, const std::map<std::string, std::string>& value);
};

template <>
struct Form<ChainConfig> {
  static void read(Reading& reading, const Place& place, ChainConfig& into);
  static void show(Showing& showing, std::string_view name, const ChainConfig& value) { showing.chain(name, value); }
};

/// Ties a key to a member.
template <auto member>
struct MemberOf;
template <class T, class V, V T::* member>
struct MemberOf<member> {
  using Owner = T;
  using Value = V;
};

template <auto member, class As = Form<typename MemberOf<member>::Value>>
constexpr auto field(std::string_view name, For servers = For::all) {
  using T = typename MemberOf<member>::Owner;
  return Field<T>{name, [](Reading& reading, const Place& place, T& into) { As::read(reading, place, into.*member); },
                  [](Showing& showing, std::string_view as, const T& of) { As::show(showing, as, of.*member); },
                  servers};
}

}  // namespace fairlead::gateway
