#include <utility>

#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

using session::Call;
using session::Reply;

using InlineMethod = Result<Reply> (*)(ServerState&, Call&);
using AsyncMethod = Task<Result<Reply>> (ServerState::*)(Call&);
/// Returns nothing if the method has to be awaited.
using TryInlineMethod = std::optional<Result<Reply>> (ServerState::*)(Call&, const Registry&);

enum class Feature : std::uint8_t { nothing, tools, resources, prompts, completions, logging };

/// A method, the feature that it needs to be available, and the functions that handle it.
struct Route {
  std::string_view method;
  Feature required;
  InlineMethod run_inline = nullptr;
  AsyncMethod run_async = nullptr;
  TryInlineMethod try_inline = nullptr;
};

constexpr Route routes[] = {
    {protocol::Initialize::method, Feature::nothing, [](ServerState& s, Call& c) { return s.initialize(c); }},
    {protocol::Discover::method, Feature::nothing, [](ServerState& s, Call& c) { return s.discover(c); }},
    {protocol::Ping::method, Feature::nothing,
     [](ServerState&, Call&) { return Result<Reply>(Reply{.body = json::Payload::trusted("{}")}); }},
    {protocol::SetLevel::method, Feature::logging, [](ServerState& s, Call& c) { return s.set_level(c); }},
    {protocol::ListTools::method, Feature::tools, [](ServerState& s, Call& c) { return s.list_tools(c); }},
    {protocol::CallTool::method, Feature::tools, nullptr, &ServerState::call_tool, &ServerState::call_tool_now},
    {protocol::ListResources::method, Feature::resources, [](ServerState& s, Call& c) { return s.list_resources(c); }},
    {protocol::ListResourceTemplates::method, Feature::resources,
     [](ServerState& s, Call& c) { return s.list_templates(c); }},
    {protocol::ReadResource::method, Feature::resources, nullptr, &ServerState::read_resource},
    {protocol::Subscribe::method, Feature::resources, [](ServerState& s, Call& c) { return s.subscribe(c, true); }},
    {protocol::Unsubscribe::method, Feature::resources, [](ServerState& s, Call& c) { return s.subscribe(c, false); }},
    {protocol::ListPrompts::method, Feature::prompts, [](ServerState& s, Call& c) { return s.list_prompts(c); }},
    {protocol::GetPrompt::method, Feature::prompts, nullptr, &ServerState::get_prompt},
    {protocol::Complete::method, Feature::completions, nullptr, &ServerState::complete},
    {protocol::Listen::method, Feature::nothing, nullptr, &ServerState::listen},
};

bool is_available(Feature what, const ServerState& server, const Registry& all) {
  switch (what) {
    case Feature::tools: return !all.tools.empty();
    case Feature::resources: return !all.resources.empty() || !all.templates.empty();
    case Feature::prompts: return !all.prompts.empty();
    case Feature::completions: return !all.completions.empty();
    case Feature::logging: return server.offers_logging();
    case Feature::nothing: break;
  }
  return true;
}

std::unexpected<Error> no_session() {
  return refuse(ProtocolError::invalid_request, "logging/setLevel needs a session");
}

const Route* find_route(std::string_view method) {
  for (const auto& route : routes) {
    if (route.method == method) return &route;
  }
  return nullptr;
}

Task<Result<Reply>> ready(Result<Reply> answer) {
  co_return answer;
}

}  // namespace

// Not a coroutine, to save a frame. Callers try answer_now first, so that `try_inline` is not tried again here.
Task<Result<Reply>> ServerState::dispatch(Call& call) {
  const auto* route = find_route(call.method);
  if (route != nullptr && route->run_async != nullptr && is_available(route->required, *this, *registry())) {
    return (this->*route->run_async)(call);
  }
  return ready(*answer_now(call));
}

Result<Reply> ServerState::set_level(const Call& call) {
  const auto params = json::decode<protocol::SetLevelParams>(call.params);
  if (!params) return refuse(ProtocolError::invalid_params, params.error().message);
  if (!session_preferences.set_level(call.context.session_key, params->level)) return no_session();
  return Reply{.body = json::Payload::trusted("{}")};
}

Task<Result<Reply>> Server::call(Call& call) {
  state_->begin_serving();
  return state_->dispatch(call);
}

// The session handles initialized, cancelled and progress; roots/list_changed is not used yet.
Task<void> Server::notify(session::Notification&) {
  co_return;
}

}  // namespace fairlead::server
