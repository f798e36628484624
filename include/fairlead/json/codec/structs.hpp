#pragma once

#include <fairlead/json/codec/containers.hpp>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/codec/initialisers.hpp>
#include <fairlead/json/fixed_string.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/json/reflect.hpp>

namespace fairlead::json {

enum class TagRule : bool { required, may_be_absent };

/// The member that identifies a struct in a variant: `using Tag = json::Tag<"type", "text">;`.
template <FixedString name_text, FixedString value_text, TagRule tag_rule = TagRule::required>
struct Tag {
  static constexpr std::string_view name = name_text.view();
  static constexpr std::string_view value = value_text.view();
  static constexpr TagRule rule = tag_rule;
};

template <class T>
concept Tagged = requires { T::Tag::value; };

namespace detail {

bool read_tag(Decoder& decoder, std::string_view name, std::string_view value);
bool keep(Decoder& decoder, std::string name, Extra& extra);

}  // namespace detail

template <Reflected T>
struct StructCodec {
  static void write(std::string& out, const T& value) {
    ObjectWriter object(out);
    if constexpr (Tagged<T>) ((object.plain_member(T::Tag::name) += '"') += T::Tag::value) += '"';
    for_each_member([&]<std::size_t I>() { write_member<I>(object, Fields::template get<I>(value)); });
  }

  static bool read(Decoder& decoder, T& value) {
    if (decoder.in.kind() != Kind::object) return decoder.expected("an object");
    std::uint64_t seen = 0;
    bool tagged = false;
    decoder.in.open();
    while (decoder.in.more()) {
      if (!read_member(decoder, decoder.in.key(), value, seen, tagged)) return false;
    }
    return is_complete(decoder, seen, tagged);
  }

  static void describe(SchemaText& schema) {
    static constexpr char identity = 0;
    if (!schema.open(&identity)) return;
    {
      ObjectWriter object(schema.text);
      object.text("type", "object");
      schema.annotate(object);
      object.plain_member("properties");
      describe_members(schema);
      describe_required(object, schema.of_output ? required : required & ~detail::initialised_members<T>());
    }
    schema.close();
  }

 private:
  using Fields = Members<T>;
  using ReadMember = bool (*)(Decoder&, T&);
  static_assert(Fields::count <= 64, "the codec counts members in 64 bits");

  template <std::size_t I>
  static constexpr bool named = !std::is_same_v<MemberType<T, I>, Extra>;

  template <class Visit>
  static constexpr void for_each_member(Visit&& visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit.template operator()<I>(), ...);
    }(std::make_index_sequence<Fields::count>{});
  }

  template <std::size_t I, class Member>
  static void write_member(ObjectWriter& object, const Member& member) {
    if constexpr (std::is_same_v<Member, Extra>) {
      for (const auto& [name, json] : member.members) Codec<Payload>::write(object.member(name), json);
    } else if (!detail::is_absent(member)) {
      Codec<Member>::write(object.plain_member(Fields::names[I]), member);
    }
  }

  static constexpr std::array<ReadMember, Fields::count> readers = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<ReadMember, Fields::count>{[](Decoder& decoder, T& value) {
      if constexpr (named<I>) return Codec<MemberType<T, I>>::read(decoder, Fields::template get<I>(value));
      return false;
    }...};
  }(std::make_index_sequence<Fields::count>{});

  /// Members that are not optional. Initialisers are computed only when one of them is absent.
  static constexpr std::uint64_t required = [] {
    std::uint64_t mask = 0;
    for_each_member([&]<std::size_t I>() {
      if (!detail::may_be_absent<MemberType<T, I>>) mask |= std::uint64_t{1} << I;
    });
    return mask;
  }();

  // An `Extra` has a name in C++ only; a JSON member of that name is an unknown member.
  static constexpr std::array<bool, Fields::count> has_name = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<bool, Fields::count>{named<I>...};
  }(std::make_index_sequence<Fields::count>{});

  static std::size_t index_of(std::string_view name) {
    for (std::size_t i = 0; i < Fields::count; ++i) {
      if (Fields::names[i] == name && has_name[i]) return i;
    }
    return Fields::count;
  }

  static bool read_member(Decoder& decoder, std::string_view name, T& value, std::uint64_t& seen, bool& tagged) {
    if constexpr (Tagged<T>) {
      if (name == T::Tag::name) {
        tagged = true;
        return detail::read_tag(decoder, T::Tag::name, T::Tag::value);
      }
    }
    const std::size_t index = index_of(name);
    if (index == Fields::count) return pass_unknown(decoder, name, value);
    const std::uint64_t bit = std::uint64_t{1} << index;
    const bool twice = (seen & bit) != 0;
    seen |= bit;
    if (twice) decoder.fail("the name appears twice");
    return (!twice && readers[index](decoder, value)) || decoder.inside(Fields::names[index]);
  }

  static bool pass_unknown(Decoder& decoder, std::string_view name, T& value) {
    bool kept = false;
    for_each_member([&]<std::size_t I>() {
      if constexpr (!named<I>) kept = detail::keep(decoder, std::string(name), Fields::template get<I>(value));
    });
    if (!kept) decoder.in.skip();
    return true;
  }

  static bool is_complete(Decoder& decoder, std::uint64_t seen, bool tagged) {
    if constexpr (Tagged<T>) {
      if (!tagged && T::Tag::rule == TagRule::required) {
        return decoder.fail("is required") || decoder.inside(T::Tag::name);
      }
    }
    std::uint64_t missing = required & ~seen;
    if (missing != 0) missing &= ~detail::initialised_members<T>();
    if (missing == 0) return true;
    const auto first = static_cast<std::size_t>(__builtin_ctzll(missing));
    return decoder.fail("is required") || decoder.inside(Fields::names[first]);
  }

  static void describe_members(SchemaText& schema) {
    ObjectWriter properties(schema.text);
    if constexpr (Tagged<T>) {
      ObjectWriter(properties.plain_member(T::Tag::name)).text("const", T::Tag::value);
    }
    schema.enter("properties");
    for_each_member([&]<std::size_t I>() {
      if constexpr (named<I>) {
        properties.plain_member(Fields::names[I]);
        const std::size_t from = schema.text.size();
        schema.enter(Fields::names[I]);
        Codec<MemberType<T, I>>::describe(schema);
        schema.leave(Fields::names[I]);
        if (!schema.of_output) schema.set_default(from, detail::default_json<T, I>());
      }
    });
    schema.leave("properties");
  }

  static void describe_required(ObjectWriter& object, std::uint64_t needed) {
    std::vector<std::string> names;
    if constexpr (Tagged<T>) {
      if (T::Tag::rule == TagRule::required) names.emplace_back(T::Tag::name);
    }
    for (std::size_t i = 0; i < Fields::count; ++i) {
      if ((needed >> i & 1) != 0) names.emplace_back(Fields::names[i]);
    }
    if (!names.empty()) write_elements(object.plain_member("required"), names);
  }
};

template <Reflected T>
struct Codec<T> : StructCodec<T> {};

}  // namespace fairlead::json
