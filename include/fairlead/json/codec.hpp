#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/json/codec/compiled_once.hpp>
#include <fairlead/json/codec/containers.hpp>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/codec/scalars.hpp>
#include <fairlead/json/codec/structs.hpp>
#include <fairlead/json/codec/variants.hpp>
#include <fairlead/json/payload.hpp>
#include <string>
#include <string_view>
#include <utility>

/// Turns C++ values into JSON text and back, without a document tree in between.
///
/// Absent optionals are left out and unknown members ignored, unless the struct has an `Extra` to keep them. A type of
/// yours joins in by a `Codec` specialisation; codec/scalars.hpp shows the shape.
namespace fairlead::json {

/// Reads a `T` from valid JSON text; an empty text counts as `{}`. Errors say where: `tools[0].name: expected a
/// string`.
template <class T>
Result<T> decode(std::string_view valid_text) {
  Decoder decoder(valid_text.empty() ? std::string_view("{}") : valid_text);
  T value{};
  if (!Codec<T>::read(decoder, value)) return std::unexpected(decoder.error());
  return value;
}

template <class T>
Result<T> decode(const Payload& payload) {
  return decode<T>(payload.text());
}

template <class T>
std::string encode(const T& value) {
  std::string out;
  Codec<T>::write(out, value);
  return out;
}

template <class T>
Payload to_payload(const T& value) {
  return Payload::trusted(encode(value));
}

/// The JSON Schema that a `T` satisfies, self-contained: a type that contains itself refers back by `$ref`.
template <class T>
std::string schema_of() {
  SchemaText schema;
  Codec<T>::describe(schema);
  return std::move(schema.text);
}

}  // namespace fairlead::json
