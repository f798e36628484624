#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/json/codec/containers.hpp>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/codec/extern_codec.hpp>
#include <fairlead/json/codec/scalars.hpp>
#include <fairlead/json/codec/structs.hpp>
#include <fairlead/json/codec/variants.hpp>
#include <fairlead/json/payload.hpp>
#include <string>
#include <string_view>
#include <utility>

/// Converts C++ values to JSON text and back, without a document tree.
///
/// Absent optionals are omitted. Unknown members are ignored, unless the struct has an `Extra` to keep them. Specialise
/// `Codec` for types of your own; see codec/scalars.hpp.
namespace fairlead::json {

/// Reads a `T` from valid JSON text; an empty text counts as `{}`. Errors contain the path: `tools[0].name: expected a
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

/// The JSON Schema of `T`, self-contained: a recursive type refers to itself by `$ref`.
template <class T>
std::string schema_of() {
  SchemaText schema;
  Codec<T>::describe(schema);
  return std::move(schema.text);
}

}  // namespace fairlead::json
