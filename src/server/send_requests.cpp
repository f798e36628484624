#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/server/context.hpp>

#include "protocol/required_capability.hpp"
#include "server/context_state.hpp"
#include "server/tasks/task_run.hpp"

namespace fairlead::server {
namespace {

void assign_keys(ContextState& state, std::vector<ServerRequestSpec>& specs) {
  for (auto& spec : specs) {
    if (spec.key.empty()) spec.key = "q" + std::to_string(state.next_key++);
  }
}

// The specification forbids requests for capabilities that the client did not declare.
void check_capabilities(const ContextState& state, const std::vector<ServerRequestSpec>& specs) {
  const auto& context = state.call.context;
  for (const auto& spec : specs) {
    const auto required = protocol::undeclared_capability(spec.method, spec.params, context.caller->capabilities);
    if (!required) continue;
    std::string message = "the client did not declare the capability for " + spec.method;
    if (!state.uses_input_rounds()) throw Failed({.kind = ErrorKind::invalid, .message = std::move(message)});
    throw Failed(protocol_error(ProtocolError::missing_capability, std::move(message), spec.method,
                                R"({"requiredCapabilities":)" + *required + "}"));
  }
}

// URL elicitations of the handshake era carry an elicitationId.
json::Payload with_elicitation_id(const ContextState& state, const ServerRequestSpec& spec) {
  json::ObjectEdit params(spec.params.text());
  if (params.get("mode") != R"("url")") return spec.params;
  const auto& id = state.call.context.id;
  params.set("elicitationId", json::encode((id ? id->to_json() : std::string("request")) + "-" + spec.key));
  return json::Payload::trusted(params.text());
}

/// The response from this or an earlier round; null if the request has to be sent (again).
const json::Payload* known_answer(ContextState& state, const ServerRequestSpec& spec) {
  const auto earlier = state.replay_state.answers.find(spec.key);
  if (earlier != state.replay_state.answers.end() && spec.accepts(earlier->second)) return &earlier->second;
  const auto current = state.responses.find(spec.key);
  if (current == state.responses.end() || !spec.accepts(current->second)) return nullptr;
  return &(state.replay_state.answers[spec.key] = current->second);
}

std::vector<json::Payload> replay(ContextState& state, const std::vector<ServerRequestSpec>& specs) {
  if (!state.call.context.revision->may_require_input.contains(state.call.method)) {
    throw Failed({.kind = ErrorKind::invalid, .message = state.call.method + " cannot send requests to the client"});
  }
  std::vector<json::Payload> results;
  for (const auto& spec : specs) {
    if (const auto* answer = known_answer(state, spec)) {
      results.push_back(*answer);
    } else {
      protocol::InputRequest request;
      request.method = spec.method;
      if (!spec.params.empty()) request.params = spec.params;
      state.input_requests.insert_or_assign(spec.key, std::move(request));
    }
  }
  if (!state.input_requests.empty()) throw RoundEnded{};
  return results;
}

}  // namespace

Task<std::vector<json::Payload>> Context::send_requests(std::vector<ServerRequestSpec> specs) {
  assign_keys(state_, specs);
  check_capabilities(state_, specs);
  bool is_a_task = false;
  if (state_.run != nullptr) is_a_task = co_await state_.run->settle();
  if (is_a_task) co_return co_await state_.run->request_input(std::move(specs));
  if (state_.uses_input_rounds()) co_return replay(state_, specs);

  auto* channel = state_.call.context.peer;
  if (channel == nullptr)
    throw Failed({.kind = ErrorKind::closed, .message = "no client is connected that could answer"});
  std::vector<json::Payload> results;
  for (const auto& spec : specs) {
    auto params = with_elicitation_id(state_, spec);
    auto reply = co_await channel->request(spec.method, std::move(params));
    if (!reply) throw Failed(std::move(reply.error()));
    if (!spec.accepts(reply->body)) {
      throw Failed(
          {.kind = ErrorKind::malformed, .message = "the client's response to " + spec.method + " is invalid"});
    }
    results.push_back(std::move(reply->body));
  }
  co_return results;
}

}  // namespace fairlead::server
