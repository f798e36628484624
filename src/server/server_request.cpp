#include <fairlead/server/server_request.hpp>

#include <fairlead/protocol/model/methods.hpp>

namespace fairlead::server {
namespace {

template <class T>
bool reads_as(const json::Payload& answer) {
  return json::decode<T>(answer).has_value();
}

std::optional<protocol::ElicitResult> elicited(const json::Payload& answer) {
  auto result = json::decode<protocol::ElicitResult>(answer);
  return result ? std::optional(std::move(*result)) : std::nullopt;
}

std::string text_of(const protocol::CreateMessageResult& message) {
  std::string text;
  for (const auto& block : message.content.blocks) {
    if (const auto* part = std::get_if<protocol::TextContent>(&block)) text += part->text;
  }
  return text;
}

ServerRequestSpec create_message_spec(const protocol::CreateMessageParams& params, std::string key) {
  return {.method = std::string(protocol::CreateMessage::method),
          .params = json::to_payload(params),
          .key = std::move(key),
          .accepts = &reads_as<protocol::CreateMessageResult>};
}

}  // namespace

namespace detail {

ServerRequestSpec form_spec(std::string message, std::string schema, std::string key) {
  protocol::ElicitFormParams params;
  params.message = std::move(message);
  params.requestedSchema = json::Payload::trusted(std::move(schema));
  return {.method = std::string(protocol::Elicit::method), .params = json::to_payload(params), .key = std::move(key)};
}

bool is_declined(const json::Payload& answer) {
  const auto result = elicited(answer);
  return result && result->action != protocol::ElicitAction::accept;
}

json::Payload form_content(const json::Payload& answer) {
  auto result = elicited(answer);
  // Null, not an empty object: an unreadable result must not pass as an empty form.
  if (!result || !result->content) return json::Payload::trusted("null");
  return std::move(*result->content);
}

void expect_accepted(const json::Payload& answer) {
  const auto result = elicited(answer);
  if (!result) throw ElicitationDeclined(protocol::ElicitAction::cancel);
  if (result->action != protocol::ElicitAction::accept) throw ElicitationDeclined(result->action);
}

}  // namespace detail

ServerRequest<json::Payload> elicit_form(std::string message, json::Payload schema, std::string key) {
  auto spec = detail::form_spec(std::move(message), std::string(schema.text()), std::move(key));
  spec.accepts = [](const json::Payload& answer) {
    return detail::is_declined(answer) || detail::form_content(answer).text().starts_with('{');
  };
  return {std::move(spec), [](const json::Payload& answer) {
            detail::expect_accepted(answer);
            return detail::form_content(answer);
          }};
}

ServerRequest<bool> elicit_url(std::string message, std::string url, std::string key) {
  protocol::ElicitUrlParams params;
  params.message = std::move(message);
  params.url = std::move(url);
  ServerRequestSpec spec{.method = std::string(protocol::Elicit::method),
                         .params = json::to_payload(params),
                         .key = std::move(key),
                         .accepts = &reads_as<protocol::ElicitResult>};
  return {std::move(spec), [](const json::Payload& answer) {
            detail::expect_accepted(answer);
            return true;
          }};
}

ServerRequest<protocol::CreateMessageResult> create_message(const protocol::CreateMessageParams& params,
                                                            std::string key) {
  return {create_message_spec(params, std::move(key)),
          [](const json::Payload& answer) { return *json::decode<protocol::CreateMessageResult>(answer); }};
}

ServerRequest<std::string> create_message(std::string prompt, std::int64_t max_tokens, std::string key) {
  protocol::SamplingMessage message;
  message.content.blocks.emplace_back(protocol::TextContent{.text = std::move(prompt)});
  protocol::CreateMessageParams params;
  params.messages.push_back(std::move(message));
  params.maxTokens = max_tokens;
  return {create_message_spec(params, std::move(key)),
          [](const json::Payload& answer) { return text_of(*json::decode<protocol::CreateMessageResult>(answer)); }};
}

ServerRequest<std::vector<protocol::Root>> list_roots(std::string key) {
  ServerRequestSpec spec{.method = std::string(protocol::ListRoots::method),
                         .key = std::move(key),
                         .accepts = &reads_as<protocol::ListRootsResult>};
  return {std::move(spec),
          [](const json::Payload& answer) { return json::decode<protocol::ListRootsResult>(answer)->roots; }};
}

}  // namespace fairlead::server
