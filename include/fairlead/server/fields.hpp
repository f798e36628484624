#pragma once

#include <array>
#include <fairlead/json/codec.hpp>
#include <span>
#include <utility>

namespace fairlead::server {

/// A named value of a request or a form, type-erased: how to read it, its schema and its default.
struct Field {
  std::string_view name;
  std::string_view doc;
  bool may_be_absent = false;
  bool (*read)(json::Decoder& decoder, void* value) = nullptr;
  void (*describe)(json::SchemaText& schema) = nullptr;
  // Null if the field is not a struct member, so that it has no initialiser.
  bool (*has_default)() = nullptr;
  std::string (*default_json)() = nullptr;

  bool is_required() const { return !may_be_absent && (has_default == nullptr || !has_default()); }
};

/// How values are encoded: as JSON of their type, or as text that may spell it (`7` in a URI).
enum class InputFormat : std::uint8_t { json, text };

/// The arguments of a handler. Refers to the request.
struct Input {
  std::string_view json = {};  ///< An object, or empty.
  InputFormat source = InputFormat::json;
  bool reject_unknown = false;  ///< Unknown names are an error.
};

/// Turns a decoding error into `bad_arguments`.
Error bad_input(Error error);

/// Reads each field, at most 64, into the target at its index. The error lists all problems:
/// `a: is required; b: expected …`.
Result<void> read_fields(const Input& input, std::span<const Field> fields, void* const* targets);

/// The JSON schema of an object with these fields.
std::string fields_schema(std::span<const Field> fields, bool reject_unknown = false);

template <class T>
constexpr Field make_field(std::string_view name, std::string_view doc = {}) {
  Field field{.name = name, .doc = doc, .may_be_absent = json::detail::may_be_absent<T>};
  field.read = [](json::Decoder& decoder, void* value) {
    return json::Codec<T>::read(decoder, *static_cast<T*>(value));
  };
  field.describe = &json::Codec<T>::describe;
  return field;
}

template <class T, std::size_t I>
constexpr Field make_member_field() {
  Field field = make_field<json::MemberType<T, I>>(json::Members<T>::names[I]);
  field.has_default = [] { return (json::detail::initialised_members<T>() >> I & 1) != 0; };
  field.default_json = &json::detail::default_json<T, I>;
  return field;
}

/// The members of a struct as fields.
template <json::Reflected T>
struct StructFields {
  static constexpr std::size_t count = json::Members<T>::count;
  static constexpr std::array<Field, count> fields = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Field, count>{make_member_field<T, I>()...};
  }(std::make_index_sequence<count>{});

  static Result<void> read(const Input& input, T& value) {
    const auto targets = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<void*, count>{&json::Members<T>::template get<I>(value)...};
    }(std::make_index_sequence<count>{});
    return read_fields(input, fields, targets.data());
  }

  static std::string schema(bool reject_unknown = false) { return fields_schema(fields, reject_unknown); }
};

}  // namespace fairlead::server
