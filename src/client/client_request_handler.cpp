#include "client/client_request_handler.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/schema.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <map>
#include <utility>

namespace fairlead::client {
namespace {

using protocol::ProtocolError;

/// The part of a form's schema that holds defaults.
struct FormSchema {
  std::optional<std::map<std::string, json::Payload>> properties = {};
};
struct FormField {
  std::optional<json::Payload> default_ = {};
};

json::Payload with_defaults(const json::Payload& content, const json::Payload& schema) {
  json::ObjectEdit filled(content.text());
  const auto form = json::decode<FormSchema>(schema);
  if (!form || !form->properties) return content;
  for (const auto& [name, text] : *form->properties) {
    const auto field = json::decode<FormField>(text);
    if (!field || !field->default_ || !filled.get(name).empty()) continue;
    filled.set(name, std::string(field->default_->text()));
  }
  return filled.changed() ? json::Payload::trusted(filled.text()) : content;
}

/// Fills in defaults of the form's schema and validates the content against it.
Result<protocol::ElicitResult> complete_elicitation(protocol::ElicitResult answer, const json::Payload& schema) {
  if (answer.action != protocol::ElicitAction::accept) {
    answer.content.reset();
    return answer;
  }
  answer.content = with_defaults(answer.content.value_or(json::Payload::trusted("{}")), schema);
  const auto compiled = json::Schema::compile(schema.text());
  // An invalid schema cannot be checked.
  if (!compiled) return answer;
  const auto violations = compiled->validate(answer.content->text());
  if (violations.empty()) return answer;
  return fail(ErrorKind::invalid, "the result violates the form's schema: " + json::to_string(violations.front()));
}

// An error of the user's handler is sent as an internal error with its text.
template <class T>
Result<json::Payload> as_payload(const Result<T>& answer) {
  if (answer) return json::to_payload(*answer);
  if (protocol::protocol_error_of(answer.error()) != ProtocolError::none) return std::unexpected(answer.error());
  return refuse(ProtocolError::internal, answer.error().message);
}

template <class T, class Listener>
void deliver(const json::Payload& params, const Listener& listener) {
  if (!listener) return;
  if (auto decoded = json::decode<T>(params)) listener(*decoded);
}

}  // namespace

ClientRequestHandler::ClientRequestHandler(const ClientOptions& options)
    : roots(options.roots.value_or(std::vector<protocol::Root>())), options_(options) {}

protocol::ClientCapabilities ClientRequestHandler::capabilities() const {
  if (options_.incoming_service) return options_.capabilities;
  const auto supported = json::Payload::trusted("{}");
  protocol::ClientCapabilities offered;
  if (options_.on_create_message) {
    offered.sampling.emplace();
    if (options_.allow_sampling_tools) offered.sampling->tools = supported;
  }
  if (options_.on_elicit || options_.on_elicit_url) {
    offered.elicitation.emplace();
    if (options_.on_elicit) offered.elicitation->form = supported;
    if (options_.on_elicit_url) offered.elicitation->url = supported;
  }
  if (options_.roots) offered.roots.emplace().listChanged = true;
  if (!options_.extensions.empty()) offered.extensions = options_.extensions;
  if (options_.tasks) {
    if (!offered.extensions) offered.extensions.emplace();
    offered.extensions->emplace(protocol::extension::tasks, supported);
  }
  return offered;
}

Task<Result<json::Payload>> ClientRequestHandler::handle_request(std::string method, json::Payload params) {
  if (method == protocol::CreateMessage::method) co_return co_await create_message(std::move(params));
  if (method == protocol::Elicit::method) co_return co_await elicit(std::move(params));
  if (method == protocol::ListRoots::method && options_.roots) {
    protocol::ListRootsResult listed;
    listed.roots = roots;
    co_return json::to_payload(listed);
  }
  co_return refuse(ProtocolError::unknown_method, "", method);
}

Task<Result<json::Payload>> ClientRequestHandler::create_message(json::Payload params) {
  if (!options_.on_create_message) co_return refuse(ProtocolError::unknown_method, "", "sampling/createMessage");
  auto requested = json::decode<protocol::CreateMessageParams>(params);
  if (!requested) co_return refuse(ProtocolError::invalid_params, requested.error().message);
  if (requested->tools && !options_.allow_sampling_tools) {
    co_return refuse(ProtocolError::invalid_params, "sampling.tools was not declared");
  }
  const auto answer = co_await options_.on_create_message(pool_, std::move(*requested));
  co_return as_payload(answer);
}

Task<Result<json::Payload>> ClientRequestHandler::elicit(json::Payload params) {
  auto requested = json::decode<protocol::ElicitParams>(params);
  if (!requested) co_return refuse(ProtocolError::invalid_params, requested.error().message);
  auto* form = std::get_if<protocol::ElicitFormParams>(&*requested);
  if (form) co_return co_await elicit_form(std::move(*form));
  co_return co_await elicit_url(std::move(std::get<protocol::ElicitUrlParams>(*requested)));
}

Task<Result<json::Payload>> ClientRequestHandler::elicit_form(protocol::ElicitFormParams form) {
  if (!options_.on_elicit) co_return refuse(ProtocolError::invalid_params, "form elicitation was not declared");
  const auto schema = form.requestedSchema;
  auto answer = co_await options_.on_elicit(pool_, std::move(form));
  if (answer) answer = complete_elicitation(std::move(*answer), schema);
  co_return as_payload(answer);
}

Task<Result<json::Payload>> ClientRequestHandler::elicit_url(protocol::ElicitUrlParams page) {
  if (!options_.on_elicit_url) co_return refuse(ProtocolError::invalid_params, "URL elicitation was not declared");
  const auto answer = co_await options_.on_elicit_url(pool_, std::move(page));
  co_return as_payload(answer);
}

Task<Result<session::Reply>> ClientRequestHandler::call(session::Call& call) {
  if (options_.incoming_service) co_return co_await options_.incoming_service->call(call);
  auto body = co_await handle_request(call.method, call.params);
  if (!body) co_return std::unexpected(std::move(body.error()));
  co_return session::Reply{.body = std::move(*body)};
}

Task<void> ClientRequestHandler::notify(session::Notification& notification) {
  const auto& method = notification.method;
  if (before_notification) before_notification(notification);
  if (options_.incoming_service && method != protocol::SubscriptionsAcknowledged::method) {
    co_return co_await options_.incoming_service->notify(notification);
  }
  if (method == protocol::LoggingMessage::method) {
    deliver<protocol::LoggingMessageParams>(notification.params, options_.on_log);
  } else if (method == protocol::ResourceUpdated::method) {
    const auto updated = json::decode<protocol::ResourceUriParams>(notification.params);
    if (updated && options_.on_resource_updated) options_.on_resource_updated(updated->uri);
  } else if (method == protocol::ToolListChanged::method) {
    if (options_.on_list_changed) options_.on_list_changed(ChangedList::tools);
  } else if (method == protocol::ResourceListChanged::method) {
    if (options_.on_list_changed) options_.on_list_changed(ChangedList::resources);
  } else if (method == protocol::PromptListChanged::method) {
    if (options_.on_list_changed) options_.on_list_changed(ChangedList::prompts);
  } else if (method == protocol::SubscriptionsAcknowledged::method) {
    acknowledge(notification.params);
  } else if (options_.on_notification) {
    options_.on_notification(notification);
  }
  co_return;
}

void ClientRequestHandler::acknowledge(const json::Payload& params) {
  const auto accepted = json::decode<protocol::SubscriptionsAcknowledgedParams>(params);
  if (!accepted || !accepted->_meta || !on_acknowledged) return;
  const json::ObjectEdit meta(accepted->_meta->text());
  const auto id = json::decode<jsonrpc::Id>(meta.get(protocol::meta::subscription_id));
  if (id) on_acknowledged(*id, accepted->notifications);
}

}  // namespace fairlead::client
