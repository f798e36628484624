#include <fairlead/json/codec.hpp>
#include <utility>

#include "server/context_state.hpp"

namespace fairlead::server {
namespace {

struct RoundParams {
  std::optional<protocol::InputResponses> inputResponses = {};  // NOLINT(readability-identifier-naming)
  std::optional<std::string> requestState = {};                 // NOLINT(readability-identifier-naming)
};

protocol::SealBinding binding(const session::Call& call) {
  return {.principal = call.context.principal, .method = call.method, .arguments = call.params.text()};
}

}  // namespace

Result<void> restore(ContextState& state) {
  const auto& revision = *state.call.context.revision;
  if (!state.uses_input_rounds() || !revision.may_require_input.contains(state.call.method)) return {};
  const auto& params = state.call.params;
  if (!params.may_contain("requestState") && !params.may_contain("inputResponses")) return {};
  auto carried = json::decode<RoundParams>(params);
  if (!carried) return refuse(ProtocolError::invalid_params, carried.error().message);
  if (carried->inputResponses) state.responses = std::move(*carried->inputResponses);
  if (!carried->requestState) return {};
  auto opened = state.server.seal().open(*carried->requestState, binding(state.call));
  if (!opened) return std::unexpected(std::move(opened.error()));
  auto replay_state = json::decode<ReplayState>(*opened);
  if (!replay_state) return refuse(ProtocolError::invalid_params, "requestState was not issued by this server");
  state.replay_state = std::move(*replay_state);
  return {};
}

session::Reply end_round(const ContextState& state) {
  protocol::InputRequiredResult result;
  result.inputRequests = state.input_requests;
  result.requestState = state.server.seal().seal(json::encode(state.replay_state), binding(state.call));
  return {.body = json::to_payload(result), .kind = protocol::ResultKind::input_required};
}

}  // namespace fairlead::server
