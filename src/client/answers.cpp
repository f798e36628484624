#include "client/answers.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "client/form.hpp"

namespace fairlead::client {
namespace {

using protocol::Fault;

std::unexpected<Error> refuse(Fault fault, std::string message, std::string subject = {}) {
  return std::unexpected(protocol::fault_error(fault, std::move(message), std::move(subject)));
}

// What the user's own function could not do is no secret, but not the server's mistake either.
template <class T>
Result<json::Payload> as_payload(const Result<T>& answer) {
  if (answer) return json::to_payload(*answer);
  if (protocol::fault_of(answer.error()) != Fault::none) return std::unexpected(answer.error());
  return refuse(Fault::internal, answer.error().message);
}

template <class T, class Tell>
void tell(const json::Payload& params, const Tell& listener) {
  if (!listener) return;
  if (auto decoded = json::decode<T>(params)) listener(*decoded);
}

}  // namespace

Answers::Answers(const ClientOptions& options)
    : roots(options.roots.value_or(std::vector<protocol::Root>())), options_(options) {}

protocol::ClientCapabilities Answers::capabilities() const {
  if (options_.answering) return options_.capabilities;
  const auto yes = json::Payload::trusted("{}");
  protocol::ClientCapabilities offered;
  if (options_.on_sample) {
    offered.sampling.emplace();
    if (options_.sample_with_tools) offered.sampling->tools = yes;
  }
  if (options_.on_form || options_.on_visit) {
    offered.elicitation.emplace();
    if (options_.on_form) offered.elicitation->form = yes;
    if (options_.on_visit) offered.elicitation->url = yes;
  }
  if (options_.roots) offered.roots.emplace().listChanged = true;
  return offered;
}

Task<Result<json::Payload>> Answers::answer(std::string method, json::Payload params) {
  if (method == protocol::CreateMessage::method) co_return co_await sample(std::move(params));
  if (method == protocol::Elicit::method) co_return co_await elicit(std::move(params));
  if (method == protocol::ListRoots::method && options_.roots) {
    protocol::ListRootsResult listed;
    listed.roots = roots;
    co_return json::to_payload(listed);
  }
  co_return refuse(Fault::unknown_method, "", method);
}

Task<Result<json::Payload>> Answers::sample(json::Payload params) {
  if (!options_.on_sample) co_return refuse(Fault::unknown_method, "", std::string(protocol::CreateMessage::method));
  auto asked = json::decode<protocol::CreateMessageParams>(params);
  if (!asked) co_return refuse(Fault::invalid_params, asked.error().message);
  if (asked->tools && !options_.sample_with_tools) {
    co_return refuse(Fault::invalid_params, "this client did not offer sampling with tools");
  }
  const auto answer = co_await options_.on_sample(pool_, std::move(*asked));
  co_return as_payload(answer);
}

Task<Result<json::Payload>> Answers::elicit(json::Payload params) {
  auto asked = json::decode<protocol::ElicitParams>(params);
  if (!asked) co_return refuse(Fault::invalid_params, asked.error().message);
  if (auto* form = std::get_if<protocol::ElicitFormParams>(&*asked)) co_return co_await fill(std::move(*form));
  co_return co_await visit(std::move(std::get<protocol::ElicitUrlParams>(*asked)));
}

Task<Result<json::Payload>> Answers::fill(protocol::ElicitFormParams form) {
  if (!options_.on_form) co_return refuse(Fault::invalid_params, "this client fills in no forms");
  const auto schema = form.requestedSchema;
  auto answer = co_await options_.on_form(pool_, std::move(form));
  if (answer) answer = completed(std::move(*answer), schema);
  co_return as_payload(answer);
}

Task<Result<json::Payload>> Answers::visit(protocol::ElicitUrlParams page) {
  if (!options_.on_visit) co_return refuse(Fault::invalid_params, "this client opens no pages");
  const auto answer = co_await options_.on_visit(pool_, std::move(page));
  co_return as_payload(answer);
}

Task<Result<session::Reply>> Answers::call(session::Call& call) {
  if (options_.answering) co_return co_await options_.answering->call(call);
  auto body = co_await answer(call.method, call.params);
  if (!body) co_return std::unexpected(std::move(body.error()));
  co_return session::Reply{.body = std::move(*body)};
}

Task<void> Answers::notify(session::Notice& notice) {
  const auto& method = notice.method;
  if (on_any) on_any(notice);
  if (options_.answering && method != protocol::SubscriptionsAcknowledged::method) {
    co_return co_await options_.answering->notify(notice);
  }
  if (method == protocol::LoggingMessage::method) {
    tell<protocol::LoggingMessageParams>(notice.params, options_.on_log);
  } else if (method == protocol::ResourceUpdated::method) {
    const auto updated = json::decode<protocol::ResourceUriParams>(notice.params);
    if (updated && options_.on_resource_updated) options_.on_resource_updated(updated->uri);
  } else if (method == protocol::ToolListChanged::method) {
    if (options_.on_list_changed) options_.on_list_changed(List::tools);
  } else if (method == protocol::ResourceListChanged::method) {
    if (options_.on_list_changed) options_.on_list_changed(List::resources);
  } else if (method == protocol::PromptListChanged::method) {
    if (options_.on_list_changed) options_.on_list_changed(List::prompts);
  } else if (method == protocol::SubscriptionsAcknowledged::method) {
    acknowledge(notice.params);
  } else if (options_.on_notice) {
    options_.on_notice(notice);
  }
  co_return;
}

void Answers::acknowledge(const json::Payload& params) {
  const auto accepted = json::decode<protocol::SubscriptionsAcknowledgedParams>(params);
  if (!accepted || !accepted->_meta || !on_acknowledged) return;
  const json::ObjectEdit meta(accepted->_meta->text());
  const auto id = json::decode<jsonrpc::Id>(meta.get(protocol::meta::subscription_id));
  if (id) on_acknowledged(*id, accepted->notifications);
}

}  // namespace fairlead::client
