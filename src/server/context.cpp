#include <fairlead/server/context.hpp>

#include <fairlead/protocol/model/methods.hpp>
#include <stdexcept>
#include <utility>

#include "server/bridge.hpp"
#include "server/capability.hpp"
#include "server/context_state.hpp"

namespace fairlead::server {
namespace {

using session::Backchannel;

// Without waiting, as long as the peer reads. Nobody to tell: whoever waits for the result will notice.
bool is_told(Backchannel* back, std::string_view method, const json::Payload& params) {
  return back == nullptr || back->tell_now(method, params);
}

// In one piece of memory: of these there are many.
json::Payload payload_of(const protocol::ProgressParams& params) {
  constexpr std::size_t usual = 128;
  std::string text;
  text.reserve(usual);
  json::Codec<protocol::ProgressParams>::write(text, params);
  return json::Payload::trusted(std::move(text));
}

// Some revisions let a request say what it wants to hear, the others remember what was set once.
bool wants(const ContextState& state, protocol::LoggingLevel level) {
  const auto& context = state.call.context;
  const auto& asked = context.caller->log_level;
  if (context.revision->request_log_level || asked) return asked && level >= *asked;
  return level >= state.server.memories.level(context.conversation);
}

}  // namespace

const std::string& Context::principal() const {
  return state_.call.context.principal;
}
const protocol::Revision& Context::revision() const {
  return *state_.call.context.revision;
}
const protocol::Caller& Context::caller() const {
  return *state_.call.context.caller;
}
const std::optional<jsonrpc::Id>& Context::request_id() const {
  return state_.call.context.id;
}
void Context::let_go() {
  if (auto* back = state_.call.context.back) back->let_go();
}
const json::Payload& Context::params() const {
  return state_.call.params;
}
bool Context::cancelled() const {
  return state_.cancelled || (state_.gave_up && state_.gave_up());
}

bool Context::can_elicit() const {
  return has_form(caller().capabilities);
}
bool Context::can_elicit_url() const {
  return has_url(caller().capabilities);
}
bool Context::can_sample() const {
  return caller().capabilities.sampling.has_value();
}
bool Context::can_list_roots() const {
  return caller().capabilities.roots.has_value();
}

void Context::wait_for(Task<void> task) {
  if (state_.bridge == nullptr) throw std::logic_error("only a handler marked blocking may wait: say co_await instead");
  state_.bridge->wait(std::move(task));
}

Task<void> Context::progress(double done, std::optional<double> total, std::string message) {
  const auto& context = state_.call.context;
  if (!context.progress_token || done <= state_.progress) co_return;
  state_.progress = done;
  protocol::ProgressParams params{.progressToken = *context.progress_token, .progress = done, .total = total};
  if (!message.empty()) params.message = std::move(message);
  auto payload = payload_of(params);
  if (is_told(context.back, protocol::Progress::method, payload)) co_return;
  co_await context.back->tell(std::string(protocol::Progress::method), std::move(payload));
}

Task<void> Context::log(protocol::LoggingLevel level, std::string text, std::string logger) {
  return log(level, json::to_payload(text), std::move(logger));
}

Task<void> Context::log(protocol::LoggingLevel level, json::Payload data, std::string logger) {
  if (!wants(state_, level)) co_return;
  protocol::LoggingMessageParams params;
  params.level = level;
  params.data = std::move(data);
  if (!logger.empty()) params.logger = std::move(logger);
  auto payload = json::to_payload(params);
  auto* back = state_.call.context.back;
  if (is_told(back, protocol::LoggingMessage::method, payload)) co_return;
  co_await back->tell(std::string(protocol::LoggingMessage::method), std::move(payload));
}

Task<json::Payload> Context::elicit(std::string message, json::Payload schema, std::string key) {
  return put(form(std::move(message), std::move(schema), std::move(key)));
}

Task<void> Context::elicit_url(std::string message, std::string url, std::string key) {
  auto question = visit(std::move(message), std::move(url), std::move(key));
  co_await put(std::move(question));
}

Task<std::string> Context::sample(std::string prompt, std::int64_t max_tokens, std::string key) {
  return put(sampling(std::move(prompt), max_tokens, std::move(key)));
}

Task<protocol::CreateMessageResult> Context::sample(protocol::CreateMessageParams params, std::string key) {
  return put(sampling(params, std::move(key)));
}

Task<std::vector<protocol::Root>> Context::roots(std::string key) {
  return put(list_roots(std::move(key)));
}

std::optional<json::Payload> Context::recall(std::string_view key) const {
  const auto found = state_.memory.once.find(std::string(key));
  return found == state_.memory.once.end() ? std::nullopt : std::optional(found->second);
}

void Context::remember(std::string key, json::Payload value) {
  state_.memory.once[std::move(key)] = std::move(value);
}

}  // namespace fairlead::server
