#pragma once

#include <concepts>
#include <fairlead/json/codec.hpp>
#include <initializer_list>

namespace fairlead::client {

/// A named argument of any type, encoded as JSON.
struct Argument {
  template <class T>
  Argument(std::string_view argument, const T& value) : name(argument), json(encoded(value)) {}

  std::string name;
  std::string json;

 private:
  template <class T>
  static std::string encoded(const T& value) {
    if constexpr (std::convertible_to<const T&, std::string_view>) {
      return json::encode(std::string(std::string_view(value)));
    } else {
      return json::encode(value);
    }
  }
};

/// The arguments of a tool call: `{{"city", "Rome"}, {"days", 3}}`, a struct, or JSON.
class Arguments {
 public:
  Arguments() = default;
  Arguments(std::initializer_list<Argument> arguments);
  Arguments(json::Payload object) : payload_(std::move(object)) {}
  template <json::Reflected T>
  Arguments(const T& arguments) : payload_(json::to_payload(arguments)) {}

  const json::Payload& payload() const { return payload_; }

 private:
  json::Payload payload_ = json::Payload::trusted("{}");
};

}  // namespace fairlead::client
