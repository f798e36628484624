#pragma once

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <string>
#include <type_traits>

namespace fairlead::client {

/// The text of a result: its text blocks, a line each.
std::string text_of(const protocol::CallToolResult& result);

namespace detail {

/// The JSON to read a value from: what is structured, else the text. A value that is no object may come wrapped as
/// `{"result": …}`, because before the newest revision structured content had to be an object.
std::string value_text(const protocol::CallToolResult& result, bool as_object);
Error wrong_type(const Error& why, const std::string& text);

}  // namespace detail

/// A result as a value: the whole of it, its text for a string, else what its JSON says.
template <class T>
Result<T> read_result(protocol::CallToolResult result) {
  if constexpr (std::is_same_v<T, protocol::CallToolResult>) {
    return result;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text_of(result);
  } else {
    const auto text = detail::value_text(result, json::Reflected<T>);
    const auto valid = json::Payload::parse(text);
    if (!valid) return std::unexpected(detail::wrong_type(valid.error(), text));
    auto value = json::decode<T>(*valid);
    if (!value) return std::unexpected(detail::wrong_type(value.error(), text));
    return value;
  }
}

}  // namespace fairlead::client
