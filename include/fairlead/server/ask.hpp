#pragma once

#include <fairlead/protocol/model/resources.hpp>
#include <fairlead/server/failure.hpp>
#include <fairlead/server/fields.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::protocol {
struct CreateMessageParams;
struct CreateMessageResult;
}  // namespace fairlead::protocol

/// Questions to the client, to be put by Context::all, several at once if need be.
namespace fairlead::server {

/// A question in the protocol's words.
struct Question {
  std::string method;
  json::Payload params = {};
  std::string key = {};                                 ///< Empty: q0, q1, … in the order of asking.
  std::function<bool(const json::Payload&)> fits = {};  ///< Whether an answer has the right shape.
};

/// A question whose answer is a `T`.
template <class T>
struct Ask {
  Question question;
  T (*read)(const json::Payload& answer);  ///< Of one that fits. May throw ElicitationDeclined.
};

namespace detail {

template <class T>
inline constexpr bool is_form_value = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;
template <class T>
inline constexpr bool is_form_value<std::optional<T>> = is_form_value<T>;
template <class T, json::FixedString text>
inline constexpr bool is_form_value<json::Doc<T, text>> = is_form_value<T>;
// Several choices out of some.
template <class T>
inline constexpr bool is_form_value<std::vector<T>> = std::is_enum_v<T>;

template <class T>
constexpr bool is_form() {
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return (is_form_value<json::MemberType<T, I>> && ...);
  }(std::make_index_sequence<json::Members<T>::count>{});
}

Question form_question(std::string message, std::string schema, std::string key);
/// Whether an answer is an ElicitResult that has no content to read.
bool is_refusal(const json::Payload& answer);
/// The content of an accepted form; nothing if there is none.
json::Payload form_content(const json::Payload& answer);
/// Throws ElicitationDeclined unless the answer is `accept`.
void expect_accepted(const json::Payload& answer);

}  // namespace detail

/// A form whose fields are the members of `T`: numbers, texts, booleans, enumerations. A `Doc` describes its field; an
/// optional with an initialiser offers it as the default.
template <json::Reflected T>
Ask<T> form(std::string message, std::string key = {}) {
  static_assert(detail::is_form<T>(), "a form has fields of simple types: text, number, boolean, enumeration");
  auto question = detail::form_question(std::move(message), StructFields<T>::schema(), std::move(key));
  question.fits = [](const json::Payload& answer) {
    return detail::is_refusal(answer) || json::decode<T>(detail::form_content(answer)).has_value();
  };
  return {std::move(question), [](const json::Payload& answer) {
            detail::expect_accepted(answer);
            return *json::decode<T>(detail::form_content(answer));
          }};
}

/// The same with a schema written by hand; the answer is the form's content.
Ask<json::Payload> form(std::string message, json::Payload schema, std::string key = {});

/// Sends the user to a page; the answer says no more than that they agreed to go.
Ask<bool> visit(std::string message, std::string url, std::string key = {});

/// Has the client's model write a message.
Ask<protocol::CreateMessageResult> sampling(const protocol::CreateMessageParams& params, std::string key = {});
/// The text of a message for a prompt of the user's.
Ask<std::string> sampling(std::string prompt, std::int64_t max_tokens, std::string key = {});

Ask<std::vector<protocol::Root>> list_roots(std::string key = {});

}  // namespace fairlead::server
