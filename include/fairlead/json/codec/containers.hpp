#pragma once

#include <algorithm>
#include <array>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/codec/scalars.hpp>
#include <fairlead/json/fixed_string.hpp>
#include <optional>
#include <utility>

namespace fairlead::json {

/// A value with a description for its schema; otherwise used like the value.
template <class T, FixedString text>
struct Doc {
  // No initialiser here: it would look like a default of the struct's member.
  T value;

  operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)
  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
  bool operator==(const Doc&) const = default;
};

template <class T, FixedString text>
struct Codec<Doc<T, text>> {
  static void write(std::string& out, const Doc<T, text>& doc) { Codec<T>::write(out, doc.value); }
  static bool read(Decoder& decoder, Doc<T, text>& doc) { return Codec<T>::read(decoder, doc.value); }
  static void describe(SchemaText& schema) {
    schema.description = text.view();
    Codec<T>::describe(schema);
  }
};

/// Types for which null is a value.
template <class T>
inline constexpr bool may_be_null =
    std::is_same_v<T, Payload> || std::is_same_v<T, RawText> || std::is_same_v<T, std::nullptr_t>;

/// Absent and null both read as std::nullopt, unless null is a value of `T`.
template <class T>
struct Codec<std::optional<T>> {
  static void write(std::string& out, const std::optional<T>& value) {
    if (value) {
      Codec<T>::write(out, *value);
    } else {
      out += "null";
    }
  }
  static bool read(Decoder& decoder, std::optional<T>& value) {
    if (!may_be_null<T> && decoder.in.kind() == Kind::null) {
      decoder.in.null();
      value.reset();
      return true;
    }
    return Codec<T>::read(decoder, value.emplace());
  }
  static void describe(SchemaText& schema) { Codec<T>::describe(schema); }
};

template <class T>
void write_elements(std::string& out, const T& elements) {
  using Element = typename T::value_type;
  out += '[';
  bool first = true;
  for (const auto& element : elements) {
    if (!std::exchange(first, false)) out += ',';
    Codec<Element>::write(out, element);
  }
  out += ']';
}

/// Begins the schema of a container; `keyword` holds the schema of its elements.
template <class T>
void describe_elements(SchemaText& schema, ObjectWriter& object, std::string_view type, std::string_view keyword) {
  object.text("type", type);
  schema.annotate(object);
  object.plain_member(keyword);
  schema.enter(keyword);
  Codec<T>::describe(schema);
  schema.leave(keyword);
}

template <class T>
struct Codec<std::vector<T>> {
  static void write(std::string& out, const std::vector<T>& elements) { write_elements(out, elements); }
  static bool read(Decoder& decoder, std::vector<T>& elements) {
    if (decoder.in.kind() != Kind::array) return decoder.expected("an array");
    elements.clear();
    decoder.in.open();
    while (decoder.in.more()) {
      T element{};
      if (!Codec<T>::read(decoder, element)) return decoder.inside(elements.size());
      elements.push_back(std::move(element));
    }
    return true;
  }
  static void describe(SchemaText& schema) {
    ObjectWriter object(schema.text);
    describe_elements<T>(schema, object, "array", "items");
  }
};

template <class T, std::size_t size>
struct Codec<std::array<T, size>> {
  static void write(std::string& out, const std::array<T, size>& elements) { write_elements(out, elements); }
  static bool read(Decoder& decoder, std::array<T, size>& elements) {
    std::vector<T> read;
    if (!Codec<std::vector<T>>::read(decoder, read)) return false;
    if (read.size() != size) {
      return decoder.fail("expected " + std::to_string(size) + " elements, got " + std::to_string(read.size()));
    }
    std::ranges::move(read, elements.begin());
    return true;
  }
  static void describe(SchemaText& schema) {
    ObjectWriter object(schema.text);
    describe_elements<T>(schema, object, "array", "items");
    object.raw("minItems", std::to_string(size)).raw("maxItems", std::to_string(size));
  }
};

/// A map from strings, ordered or not.
template <class T>
concept StringMap = std::is_same_v<typename T::key_type, std::string> && requires { typename T::mapped_type; };

template <StringMap T>
struct Codec<T> {
  using Value = typename T::mapped_type;

  static void write(std::string& out, const T& map) {
    ObjectWriter object(out);
    for (const auto& [name, value] : map) Codec<Value>::write(object.member(name), value);
  }
  static bool read(Decoder& decoder, T& map) {
    if (decoder.in.kind() != Kind::object) return decoder.expected("an object");
    map.clear();
    decoder.in.open();
    while (decoder.in.more()) {
      const std::string name(decoder.in.key());
      const auto [entry, fresh] = map.try_emplace(name);
      if (!fresh) return decoder.fail("the name appears twice") || decoder.inside(name);
      if (!Codec<Value>::read(decoder, entry->second)) return decoder.inside(name);
    }
    return true;
  }
  static void describe(SchemaText& schema) {
    ObjectWriter object(schema.text);
    describe_elements<Value>(schema, object, "object", "additionalProperties");
  }
};

}  // namespace fairlead::json
