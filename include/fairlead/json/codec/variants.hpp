#pragma once

#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/codec/structs.hpp>
#include <optional>
#include <variant>

namespace fairlead::json {
namespace detail {

/// The string member `name` of the next object. Does not move the reader.
std::optional<std::string> peek_text(Reader ahead, std::string_view name);

template <class T>
inline constexpr std::string_view tag_name = {};
template <Tagged T>
inline constexpr std::string_view tag_name<T> = T::Tag::name;

}  // namespace detail

template <class... T>
inline constexpr bool may_be_null<std::variant<T...>> = (may_be_null<T> || ...);

/// One of several types. Structs with a `Tag` are selected by it; the others are tried in order. A `Payload` as the
/// last alternative accepts everything else.
template <class... T>
struct VariantCodec {
  using Variant = std::variant<T...>;

  static void write(std::string& out, const Variant& value) {
    std::visit([&]<class Held>(const Held& held) { Codec<Held>::write(out, held); }, value);
  }

  static bool read(Decoder& decoder, Variant& value) {
    if constexpr ((Tagged<T> || ...)) {
      const auto tag = detail::peek_text(decoder.in, tag_member);
      const std::size_t candidates = (std::size_t{is_tagged<T>(tag)} + ...);
      // Several alternatives may share a tag (a string and an enumeration are both "string"): use the first that fits.
      if (candidates > 1 && ((is_tagged<T>(tag) && try_read<T>(decoder, value)) || ...)) return true;
      bool read = false;
      const bool known =
          ((is_tagged<T>(tag) && (read = Codec<T>::read(decoder, value.template emplace<T>()), true)) || ...);
      if (known) return read;
      if (((!Tagged<T> && !std::is_same_v<T, Payload> && try_read<T>(decoder, value)) || ...)) return true;
      return (try_untagged<T>(decoder, value) || ...) || refuse_tag(decoder, tag);
    } else {
      return (try_read<T>(decoder, value) || ...) ||
             decoder.fail("fits none of the " + std::to_string(sizeof...(T)) + " shapes it may have; got " +
                          std::string(kind_phrase(decoder.in.kind())));
    }
  }

  static void describe(SchemaText& schema) {
    ObjectWriter object(schema.text);
    schema.annotate(object);
    object.plain_member("anyOf") += '[';
    schema.enter("anyOf");
    std::size_t index = 0;
    (describe_alternative<T>(schema, index++), ...);
    schema.leave("anyOf");
    schema.text += ']';
  }

 private:
  static constexpr std::string_view tag_member = [] {
    std::string_view name;
    ((name = name.empty() ? detail::tag_name<T> : name), ...);
    return name;
  }();

  template <class Alternative>
  static bool is_tagged(const std::optional<std::string>& tag) {
    if constexpr (Tagged<Alternative>) {
      return tag ? *tag == Alternative::Tag::value : Alternative::Tag::rule == TagRule::may_be_absent;
    }
    return false;
  }

  static bool refuse_tag(Decoder& decoder, const std::optional<std::string>& tag) {
    if (decoder.in.kind() != Kind::object) return decoder.expected("an object");
    std::string choices;
    const auto add = [&](std::string_view value) {
      if (!choices.empty()) choices += ", ";
      write_string(choices, value);
    };
    (
        [&] {
          if constexpr (Tagged<T>) add(T::Tag::value);
        }(),
        ...);
    std::string got = "nothing";
    if (tag) write_string(got = "", *tag);
    return decoder.fail("expected one of " + choices + ", got " + got) || decoder.inside(tag_member);
  }

  template <class Alternative>
  static bool try_untagged(Decoder& decoder, Variant& value) {
    if constexpr (!Tagged<Alternative>) return try_read<Alternative>(decoder, value);
    return false;
  }

  template <class Alternative>
  static bool try_read(Decoder& decoder, Variant& value) {
    Decoder attempt = decoder;
    Alternative read{};
    if (!Codec<Alternative>::read(attempt, read)) return false;
    decoder = std::move(attempt);
    value = std::move(read);
    return true;
  }

  template <class Alternative>
  static void describe_alternative(SchemaText& schema, std::size_t index) {
    if (index != 0) schema.text += ',';
    const std::string token = std::to_string(index);
    schema.enter(token);
    Codec<Alternative>::describe(schema);
    schema.leave(token);
  }
};

template <class... T>
struct Codec<std::variant<T...>> : VariantCodec<T...> {};

}  // namespace fairlead::json
