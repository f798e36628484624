#include <fairlead/server/context.hpp>

#include <fairlead/protocol/model/methods.hpp>
#include <stdexcept>

#include "protocol/required_capability.hpp"
#include "server/context_state.hpp"
#include "server/loop_proxy.hpp"
#include "server/tasks/task_run.hpp"

namespace fairlead::server {
namespace {

// One allocation, because progress notifications are frequent.
json::Payload payload_of(const protocol::ProgressParams& params) {
  constexpr std::size_t typical_size = 128;
  std::string text;
  text.reserve(typical_size);
  json::Codec<protocol::ProgressParams>::write(text, params);
  return json::Payload::trusted(std::move(text));
}

// The log level is part of the request in some revisions, a setting of the session in the others.
bool wants(const ContextState& state, protocol::LoggingLevel level) {
  const auto& context = state.call.context;
  const auto& request_level = context.caller->log_level;
  if (context.revision->request_log_level || request_level) return request_level && level >= *request_level;
  return level >= state.server.session_preferences.level(context.session_key);
}

// Dropped once the call becomes a task.
Task<void> notify_peer(ContextState& state, std::string_view method, json::Payload params) {
  auto* peer = state.call.context.peer;
  if (peer == nullptr || (state.run != nullptr && !state.run->may_notify())) co_return;
  const TaskRun::PeerUse use(state.run);
  co_await peer->notify(std::string(method), std::move(params));
}

}  // namespace

const http::Identity* Context::identity() const {
  return state_.call.context.identity.get();
}

const std::string& Context::principal() const {
  return state_.call.context.principal;
}
const protocol::Revision& Context::revision() const {
  return *state_.call.context.revision;
}
const protocol::ClientIdentity& Context::caller() const {
  return *state_.call.context.caller;
}
const std::optional<jsonrpc::Id>& Context::request_id() const {
  return state_.call.context.id;
}
bool Context::is_visible(EntryKind kind, std::string_view name) const {
  return state_.server.is_visible(kind, name, principal());
}
void Context::release_stream() {
  if (auto* channel = state_.call.context.peer) channel->release_stream();
}
const json::Payload& Context::params() const {
  return state_.call.params;
}
bool Context::cancelled() const {
  return state_.cancelled || (state_.is_cancelled && state_.is_cancelled());
}

bool Context::can_elicit() const {
  return protocol::supports_form_elicitation(caller().capabilities);
}
bool Context::can_elicit_url() const {
  return protocol::supports_url_elicitation(caller().capabilities);
}
bool Context::can_sample() const {
  return caller().capabilities.sampling.has_value();
}
bool Context::can_list_roots() const {
  return caller().capabilities.roots.has_value();
}

void Context::wait_for(Task<void> task) {
  if (state_.loop_proxy == nullptr) throw std::logic_error("wait() needs a handler marked blocking; use co_await");
  state_.loop_proxy->wait(std::move(task));
}

Task<bool> Context::become_task() {
  if (state_.run == nullptr) return false;
  return state_.run->become_task();
}
bool Context::is_task() const {
  return state_.run != nullptr && state_.run->is_task();
}
Task<void> Context::status(std::string text) {
  if (state_.run == nullptr) return {};
  return state_.run->set_status(std::move(text));
}

Task<void> Context::progress(double done, std::optional<double> total, std::string message) {
  if (is_task() && !message.empty()) co_await status(message);
  const auto& context = state_.call.context;
  if (!context.progress_token || done <= state_.progress || context.peer == nullptr) co_return;
  state_.progress = done;
  protocol::ProgressParams params{.progressToken = *context.progress_token, .progress = done, .total = total};
  if (!message.empty()) params.message = std::move(message);
  co_await notify_peer(state_, protocol::Progress::method, payload_of(params));
}

Task<void> Context::log(protocol::LoggingLevel level, std::string text, std::string logger) {
  return log(level, json::to_payload(text), std::move(logger));
}

Task<void> Context::log(protocol::LoggingLevel level, json::Payload data, std::string logger) {
  if (state_.call.context.peer == nullptr || !wants(state_, level)) co_return;
  protocol::LoggingMessageParams params;
  params.level = level;
  params.data = std::move(data);
  if (!logger.empty()) params.logger = std::move(logger);
  co_await notify_peer(state_, protocol::LoggingMessage::method, json::to_payload(params));
}

Task<json::Payload> Context::elicit(std::string message, json::Payload schema, std::string key) {
  return request(elicit_form(std::move(message), std::move(schema), std::move(key)));
}

Task<void> Context::elicit_url(std::string message, std::string url, std::string key) {
  auto spec = server::elicit_url(std::move(message), std::move(url), std::move(key));
  co_await request(std::move(spec));
}

Task<std::string> Context::sample(std::string prompt, std::int64_t max_tokens, std::string key) {
  return request(create_message(std::move(prompt), max_tokens, std::move(key)));
}

Task<protocol::CreateMessageResult> Context::sample(protocol::CreateMessageParams params, std::string key) {
  return request(create_message(params, std::move(key)));
}

Task<std::vector<protocol::Root>> Context::roots(std::string key) {
  return request(list_roots(std::move(key)));
}

std::optional<json::Payload> Context::recall(std::string_view key) const {
  const auto found = state_.replay_state.once.find(std::string(key));
  return found == state_.replay_state.once.end() ? std::nullopt : std::optional(found->second);
}

Task<void> Context::mark_begun(const std::string& key) {
  if (state_.run == nullptr) return {};
  return state_.run->mark_begun(key);
}

Task<void> Context::remember(std::string key, json::Payload value) {
  if (state_.run != nullptr) return state_.run->remember(std::move(key), std::move(value));
  state_.replay_state.once[std::move(key)] = std::move(value);
  return {};
}

}  // namespace fairlead::server
