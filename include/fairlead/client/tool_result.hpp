#pragma once

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <type_traits>

namespace fairlead::client {

/// The text blocks of a result, joined by newlines.
std::string text_of(const protocol::CallToolResult& result);

/// Returns ProtocolError::tool_failed with the text of the result if the tool has failed.
Result<protocol::CallToolResult> require_success(protocol::CallToolResult result, const std::string& tool);

namespace detail {

/// The JSON of a result: its structured content, else its text. Unwraps `{"result": …}` unless `as_object`: older
/// revisions allow only objects as structured content.
std::string value_text(const protocol::CallToolResult& result, bool as_object);
Error wrong_type(const Error& why, const std::string& text);

}  // namespace detail

/// Converts a result to `T`: unchanged for CallToolResult, its text for a string, else its decoded JSON.
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
