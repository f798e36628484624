#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <fairlead/json/codec/decoder.hpp>
#include <utility>
#include <variant>

namespace fairlead::jsonrpc {

/// A JSON-RPC id: a string or a number, echoed in the JSON type it was received in.
///
/// Also the type of progress tokens and subscription ids.
class Id {
 public:
  Id() = default;
  // A template, because with int64_t `Id(0)` would be ambiguous with the null pointer.
  template <std::integral T>
  Id(T number) : value_(static_cast<std::int64_t>(number)) {}  // NOLINT(google-explicit-constructor)
  Id(std::string text) : value_(std::move(text)) {}            // NOLINT(google-explicit-constructor)
  Id(const char* text) : value_(std::string(text)) {}          // NOLINT(google-explicit-constructor)

  /// From the text of a JSON number; a number that is not a 64-bit integer is kept verbatim.
  static Id from_number(std::string_view token);

  bool is_text() const { return std::holds_alternative<std::string>(value_); }

  /// Null if it is a string, or a number that is not a 64-bit integer.
  const std::int64_t* as_number() const { return std::get_if<std::int64_t>(&value_); }

  auto operator<=>(const Id&) const = default;
  bool operator==(const Id&) const = default;

  /// The id as JSON text.
  std::string to_json() const;
  void write(std::string& out) const;

 private:
  struct Number {
    std::string token;
    auto operator<=>(const Number&) const = default;
  };

  std::variant<std::int64_t, std::string, Number> value_;
};

}  // namespace fairlead::jsonrpc

template <>
struct fairlead::json::Codec<fairlead::jsonrpc::Id> {
  static void write(std::string& out, const jsonrpc::Id& id) { id.write(out); }
  static bool read(Decoder& decoder, jsonrpc::Id& id);
  static void describe(SchemaText& schema);
};
