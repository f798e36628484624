#pragma once

#include <concepts>
#include <fairlead/json/codec/decoder.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/json/reflect.hpp>
#include <limits>

namespace fairlead::json {

/// Writes `{"type":…}` with the pending description.
void describe_scalar(SchemaText& schema, std::string_view type);

template <>
struct Codec<bool> {
  static void write(std::string& out, bool value) { out += value ? "true" : "false"; }
  static bool read(Decoder& decoder, bool& value) {
    if (decoder.in.kind() != Kind::boolean) return decoder.expected("a boolean");
    value = decoder.in.boolean();
    return true;
  }
  static void describe(SchemaText& schema) { describe_scalar(schema, "boolean"); }
};

template <>
struct Codec<std::string> {
  static void write(std::string& out, std::string_view value) { write_string(out, value); }
  static bool read(Decoder& decoder, std::string& value);
  static void describe(SchemaText& schema) { describe_scalar(schema, "string"); }
};

template <>
struct Codec<double> {
  static void write(std::string& out, double value) { write_number(out, value); }
  static bool read(Decoder& decoder, double& value);
  static void describe(SchemaText& schema) { describe_scalar(schema, "number"); }
};

template <>
struct Codec<float> {
  static void write(std::string& out, float value);
  static bool read(Decoder& decoder, float& value);
  static void describe(SchemaText& schema) { describe_scalar(schema, "number"); }
};

/// Reads an integer between two bounds. Accepts `3.0` and `3e2`, which are integers in JSON Schema.
bool read_integer(Decoder& decoder, std::int64_t lowest, std::int64_t highest, std::int64_t& value);
bool read_unsigned(Decoder& decoder, std::uint64_t highest, std::uint64_t& value);
void describe_integer(SchemaText& schema, bool is_unsigned);

template <std::integral T>
struct Codec<T> {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  using Limits = std::numeric_limits<T>;

  static void write(std::string& out, T value) { write_number(out, static_cast<Wide>(value)); }
  static bool read(Decoder& decoder, T& value) {
    Wide wide = 0;
    if constexpr (std::is_signed_v<T>) {
      if (!read_integer(decoder, Limits::min(), Limits::max(), wide)) return false;
    } else {
      if (!read_unsigned(decoder, Limits::max(), wide)) return false;
    }
    value = static_cast<T>(wide);
    return true;
  }
  static void describe(SchemaText& schema) { describe_integer(schema, std::is_unsigned_v<T>); }
};

/// Any JSON value, kept as its bytes.
template <>
struct Codec<Payload> {
  static void write(std::string& out, const Payload& value) { out += value.empty() ? "null" : value.text(); }
  static bool read(Decoder& decoder, Payload& value) {
    value = Payload::trusted(std::string(decoder.in.skip()));
    return true;
  }
  static void describe(SchemaText& schema);
};

/// Any JSON value as a part of the text that is decoded.
struct RawText {
  std::string_view text;
};

template <>
struct Codec<RawText> {
  static bool read(Decoder& decoder, RawText& value) {
    value.text = decoder.in.skip();
    return true;
  }
};

template <>
struct Codec<std::nullptr_t> {
  static void write(std::string& out, std::nullptr_t) { out += "null"; }
  static bool read(Decoder& decoder, std::nullptr_t&) {
    if (decoder.in.kind() != Kind::null) return decoder.expected("null");
    decoder.in.null();
    return true;
  }
  static void describe(SchemaText& schema) { describe_scalar(schema, "null"); }
};

/// Finds the index of `name`; the error message lists all names.
bool read_name(Decoder& decoder, const std::string_view* names, std::size_t count, std::size_t& index);
void describe_names(SchemaText& schema, const std::string_view* names, std::size_t count);

template <class T>
  requires std::is_enum_v<T>
struct Codec<T> {
  using Names = Enumerators<T>;

  /// Throws std::invalid_argument for a value without a name.
  static void write(std::string& out, T value) { write_string(out, enum_name(value)); }
  static bool read(Decoder& decoder, T& value) {
    std::size_t index = 0;
    if (!read_name(decoder, Names::names.data(), Names::count, index)) return false;
    value = Names::values[index];
    return true;
  }
  static void describe(SchemaText& schema) { describe_names(schema, Names::names.data(), Names::count); }
};

}  // namespace fairlead::json
