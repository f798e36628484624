#include <fairlead/json/codec.hpp>
#include <utility>

#include "server/context_state.hpp"

namespace fairlead::server {
namespace {

struct Carried {
  std::optional<protocol::InputResponses> inputResponses = {};  // NOLINT(readability-identifier-naming)
  std::optional<std::string> requestState = {};                 // NOLINT(readability-identifier-naming)
};

protocol::SealBinding binding(const session::Call& call) {
  return {.principal = call.context.principal, .method = call.method, .arguments = call.params.text()};
}

}  // namespace

Result<void> restore(ContextState& state) {
  if (!state.asks_in_results() || !state.call.context.revision->may_ask_back.contains(state.call.method)) return {};
  auto carried = json::decode<Carried>(state.call.params);
  if (!carried) return refuse(Fault::invalid_params, carried.error().message);
  if (carried->inputResponses) state.responses = std::move(*carried->inputResponses);
  if (!carried->requestState) return {};
  auto opened = state.server.seal().open(*carried->requestState, binding(state.call));
  if (!opened) return std::unexpected(std::move(opened.error()));
  auto memory = json::decode<Memory>(*opened);
  if (!memory) return refuse(Fault::invalid_params, "requestState is not ours");
  state.memory = std::move(*memory);
  return {};
}

session::Reply end_round(const ContextState& state) {
  protocol::InputRequiredResult result;
  result.inputRequests = state.open_questions;
  result.requestState = state.server.seal().seal(json::encode(state.memory), binding(state.call));
  return {.body = json::to_payload(result), .kind = protocol::ResultKind::input_required};
}

}  // namespace fairlead::server
