#pragma once

#include <array>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/json/codec.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace fairlead::server {

/// One named value of a request or a form, with its type erased: how it is read, described and preset.
struct Field {
  std::string_view name;
  std::string_view doc;
  bool required = true;
  bool (*read)(json::Decoder& decoder, void* value) = nullptr;
  void (*describe)(json::SchemaText& schema) = nullptr;
  std::string (*preset)(const void* value) = nullptr;  ///< The JSON of what an untouched value holds, if anything.
};

/// Where values come from: JSON of their own type, or text that may stand for it (`7` in a URI).
enum class Source : std::uint8_t { json, text };

/// What a handler is given besides its context. Borrows from the request.
struct Input {
  std::string_view json = {};  ///< An object, or nothing.
  Source source = Source::json;
  bool closed = false;  ///< Names that no field has are refused.
};

/// Marks an error as the caller's: what it sent is not what the handler takes.
Error bad_input(Error error);

/// Fills `targets`, one a field, and reports everything that is wrong at once: `a: is required; b: expected …`.
Result<void> read_fields(const Input& input, std::span<const Field> fields, void* const* targets);

/// The schema of an object with these fields. `values` are untouched ones, to tell the defaults from; may be null.
std::string fields_schema(std::span<const Field> fields, const void* const* values = nullptr, bool closed = false);

template <class T>
constexpr Field make_field(std::string_view name, std::string_view doc = {}) {
  Field field{.name = name, .doc = doc, .required = !json::detail::may_be_absent<T>};
  field.read = [](json::Decoder& decoder, void* value) {
    return json::Codec<T>::read(decoder, *static_cast<T*>(value));
  };
  field.describe = &json::Codec<T>::describe;
  if constexpr (json::detail::may_be_absent<T>) {
    field.preset = [](const void* untyped) {
      const auto& value = *static_cast<const T*>(untyped);
      return json::detail::is_absent(value) ? std::string() : json::encode(value);
    };
  }
  return field;
}

/// The members of a struct as fields.
template <json::Reflected T>
struct StructFields {
  static constexpr std::size_t count = json::Members<T>::count;
  static constexpr std::array<Field, count> fields = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Field, count>{make_field<json::MemberType<T, I>>(json::Members<T>::names[I])...};
  }(std::make_index_sequence<count>{});

  template <class Pointer, class Object>
  static std::array<Pointer, count> members(Object& object) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<Pointer, count>{&json::Members<T>::template get<I>(object)...};
    }(std::make_index_sequence<count>{});
  }

  static Result<void> read(const Input& input, T& value) {
    const auto targets = members<void*>(value);
    return read_fields(input, fields, targets.data());
  }

  static std::string schema(bool closed = false) {
    const T untouched{};
    const auto values = members<const void*>(untouched);
    return fields_schema(fields, values.data(), closed);
  }
};

}  // namespace fairlead::server
