#pragma once

#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/server/exceptions.hpp>
#include <fairlead/server/fields.hpp>
#include <functional>

namespace fairlead::protocol {
struct CreateMessageParams;
struct CreateMessageResult;
}  // namespace fairlead::protocol

/// Requests from the server to the client; send them with Context::request or Context::request_all.
namespace fairlead::server {

/// The method and params of a request, without the type of its result.
struct ServerRequestSpec {
  std::string method;
  json::Payload params = {};
  std::string key = {};                                    ///< Identifies the request between rounds. Empty: q0, q1, …
  std::function<bool(const json::Payload&)> accepts = {};  ///< True if a response has the expected form.
};

/// A request whose result is a `T`.
template <class T>
struct ServerRequest {
  ServerRequestSpec spec;
  T (*read)(const json::Payload& answer);  ///< Reads an accepted response. May throw ElicitationDeclined.
};

namespace detail {

template <class T>
inline constexpr bool is_form_value = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;
template <class T>
inline constexpr bool is_form_value<std::optional<T>> = is_form_value<T>;
template <class T, json::FixedString text>
inline constexpr bool is_form_value<json::Doc<T, text>> = is_form_value<T>;
// Multiple choice.
template <class T>
inline constexpr bool is_form_value<std::vector<T>> = std::is_enum_v<T>;

template <class T>
constexpr bool is_form() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (is_form_value<json::MemberType<T, I>> && ...);
  }(std::make_index_sequence<json::Members<T>::count>{});
}

ServerRequestSpec form_spec(std::string message, std::string schema, std::string key);
/// True for an ElicitResult with the action `decline` or `cancel`.
bool is_declined(const json::Payload& answer);
/// The content of an accepted form; JSON null if there is none.
json::Payload form_content(const json::Payload& answer);
/// Throws ElicitationDeclined unless the action is `accept`.
void expect_accepted(const json::Payload& answer);

}  // namespace detail

/// Elicits a form whose fields are the members of `T`: numbers, strings, booleans and enumerations. A `Doc` adds a
/// description to its field; the initialiser of an optional is the default.
template <json::Reflected T>
ServerRequest<T> elicit_form(std::string message, std::string key = {}) {
  static_assert(detail::is_form<T>(), "a form may only have string, number, boolean and enumeration fields");
  auto spec = detail::form_spec(std::move(message), StructFields<T>::schema(), std::move(key));
  spec.accepts = [](const json::Payload& answer) {
    return detail::is_declined(answer) || json::decode<T>(detail::form_content(answer)).has_value();
  };
  return {std::move(spec), [](const json::Payload& answer) {
            detail::expect_accepted(answer);
            return *json::decode<T>(detail::form_content(answer));
          }};
}

/// Elicits a form with a hand-written schema. Returns the content of the form.
ServerRequest<json::Payload> elicit_form(std::string message, json::Payload schema, std::string key = {});

/// Asks the user to open a URL. The result only says that the user agreed.
ServerRequest<bool> elicit_url(std::string message, std::string url, std::string key = {});

/// Sends sampling/createMessage: the client's model writes a message.
ServerRequest<protocol::CreateMessageResult> create_message(const protocol::CreateMessageParams& params,
                                                            std::string key = {});
/// Sends sampling/createMessage with one user message. Returns the text of the result.
ServerRequest<std::string> create_message(std::string prompt, std::int64_t max_tokens, std::string key = {});

/// Sends roots/list.
ServerRequest<std::vector<protocol::Root>> list_roots(std::string key = {});

}  // namespace fairlead::server
