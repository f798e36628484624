#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/server/context.hpp>
#include <utility>

#include "server/capability.hpp"
#include "server/context_state.hpp"

namespace fairlead::server {
namespace {

void name_questions(ContextState& state, std::vector<Question>& questions) {
  for (auto& question : questions) {
    if (question.key.empty()) question.key = "q" + std::to_string(state.asked++);
  }
}

// A client that never said it could answer must not be asked.
void check_capabilities(const ContextState& state, const std::vector<Question>& questions) {
  const auto& context = state.call.context;
  for (const auto& question : questions) {
    const auto required = lacking(question, context.caller->capabilities);
    if (!required) continue;
    std::string message = "the client did not declare that it answers " + question.method;
    if (!state.asks_in_results()) throw Failed({.kind = ErrorKind::invalid, .message = std::move(message)});
    throw Failed(fault_error(Fault::missing_capability, std::move(message), question.method,
                             R"({"requiredCapabilities":)" + *required + "}"));
  }
}

// In the handshake era a visit to a page has an id of its own.
json::Payload with_visit_id(const ContextState& state, const Question& question) {
  json::ObjectEdit params(question.params.text());
  if (params.get("mode") != R"("url")") return question.params;
  const auto& id = state.call.context.id;
  params.set("elicitationId", json::encode((id ? id->to_json() : std::string("request")) + "-" + question.key));
  return json::Payload::trusted(params.text());
}

/// The answer, from an earlier round or this one; null if the client has to be asked (again).
const json::Payload* known_answer(ContextState& state, const Question& question) {
  const auto earlier = state.memory.answers.find(question.key);
  if (earlier != state.memory.answers.end() && question.fits(earlier->second)) return &earlier->second;
  const auto fresh = state.responses.find(question.key);
  if (fresh == state.responses.end() || !question.fits(fresh->second)) return nullptr;
  return &(state.memory.answers[question.key] = fresh->second);
}

std::vector<json::Payload> replay(ContextState& state, const std::vector<Question>& questions) {
  if (!state.call.context.revision->may_ask_back.contains(state.call.method)) {
    throw Failed({.kind = ErrorKind::invalid, .message = state.call.method + " cannot ask the client anything"});
  }
  std::vector<json::Payload> found;
  for (const auto& question : questions) {
    if (const auto* answer = known_answer(state, question)) {
      found.push_back(*answer);
    } else {
      protocol::InputRequest request;
      request.method = question.method;
      if (!question.params.empty()) request.params = question.params;
      state.open_questions.insert_or_assign(question.key, std::move(request));
    }
  }
  if (!state.open_questions.empty()) throw RoundEnded{};
  return found;
}

}  // namespace

Task<std::vector<json::Payload>> Context::answers(std::vector<Question> questions) {
  name_questions(state_, questions);
  check_capabilities(state_, questions);
  if (state_.asks_in_results()) co_return replay(state_, questions);

  auto* back = state_.call.context.back;
  if (back == nullptr) throw Failed({.kind = ErrorKind::closed, .message = "there is nobody to ask"});
  std::vector<json::Payload> found;
  for (const auto& question : questions) {
    auto params = with_visit_id(state_, question);
    auto reply = co_await back->ask(question.method, std::move(params));
    if (!reply) throw Failed(std::move(reply.error()));
    if (!question.fits(reply->body)) {
      throw Failed(
          {.kind = ErrorKind::malformed, .message = "the client's answer to " + question.method + " is not one"});
    }
    found.push_back(std::move(reply->body));
  }
  co_return found;
}

}  // namespace fairlead::server
