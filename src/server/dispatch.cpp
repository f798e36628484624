#include <utility>

#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

using session::Call;
using session::Reply;

using Quick = Result<Reply> (*)(ServerState&, Call&);
using Slow = Task<Result<Reply>> (ServerState::*)(Call&);
/// For what may be quick or slow: nothing if it is slow.
using Perhaps = std::optional<Result<Reply>> (ServerState::*)(Call&, const Registry&);

enum class Behind : std::uint8_t { nothing, tools, resources, prompts, completions, logging };

/// A method, what has to be there for it to exist, and who answers it.
struct Route {
  std::string_view method;
  Behind behind;
  Quick quick = nullptr;
  Slow slow = nullptr;
  Perhaps perhaps = nullptr;
};

constexpr Route routes[] = {
    {protocol::Initialize::method, Behind::nothing, [](ServerState& s, Call& c) { return s.initialize(c); }},
    {protocol::Discover::method, Behind::nothing, [](ServerState& s, Call& c) { return s.discover(c); }},
    {protocol::Ping::method, Behind::nothing,
     [](ServerState&, Call&) { return Result<Reply>(Reply{.body = json::Payload::trusted("{}")}); }},
    {protocol::SetLevel::method, Behind::logging, [](ServerState& s, Call& c) { return s.set_level(c); }},
    {protocol::ListTools::method, Behind::tools, [](ServerState& s, Call& c) { return s.list_tools(c); }},
    {protocol::CallTool::method, Behind::tools, nullptr, &ServerState::call_tool, &ServerState::call_tool_now},
    {protocol::ListResources::method, Behind::resources, [](ServerState& s, Call& c) { return s.list_resources(c); }},
    {protocol::ListResourceTemplates::method, Behind::resources,
     [](ServerState& s, Call& c) { return s.list_templates(c); }},
    {protocol::ReadResource::method, Behind::resources, nullptr, &ServerState::read_resource},
    {protocol::Subscribe::method, Behind::resources, [](ServerState& s, Call& c) { return s.subscribe(c, true); }},
    {protocol::Unsubscribe::method, Behind::resources, [](ServerState& s, Call& c) { return s.subscribe(c, false); }},
    {protocol::ListPrompts::method, Behind::prompts, [](ServerState& s, Call& c) { return s.list_prompts(c); }},
    {protocol::GetPrompt::method, Behind::prompts, nullptr, &ServerState::get_prompt},
    {protocol::Complete::method, Behind::completions, nullptr, &ServerState::complete},
    {protocol::Listen::method, Behind::nothing, nullptr, &ServerState::listen},
};

bool is_there(Behind what, const ServerState& server, const Registry& all) {
  switch (what) {
    case Behind::tools: return !all.tools.empty();
    case Behind::resources: return !all.resources.empty() || !all.templates.empty();
    case Behind::prompts: return !all.prompts.empty();
    case Behind::completions: return !all.completions.empty();
    case Behind::logging: return server.logs();
    case Behind::nothing: break;
  }
  return true;
}

std::unexpected<Error> no_conversation() {
  return refuse(Fault::invalid_request, "there is no conversation to remember a log level for");
}

const Route* find_route(std::string_view method) {
  for (const auto& route : routes) {
    if (route.method == method) return &route;
  }
  return nullptr;
}

Task<Result<Reply>> at_once(Result<Reply> answer) {
  co_return answer;
}

}  // namespace

std::optional<Result<Reply>> ServerState::answer_now(Call& call) {
  const auto* route = find_route(call.method);
  const auto all = registry();
  if (route == nullptr || !is_there(route->behind, *this, *all)) return refuse(Fault::unknown_method, "", call.method);
  if (route->quick != nullptr) return route->quick(*this, call);
  return route->perhaps != nullptr ? (this->*route->perhaps)(call, *all) : std::nullopt;
}

// Not a coroutine itself: a call pays for as few as it needs. Whoever awaits one has tried to do without, as a rule, so
// that what may be quick or slow is not tried again.
Task<Result<Reply>> ServerState::dispatch(Call& call) {
  const auto* route = find_route(call.method);
  if (route != nullptr && route->slow != nullptr && is_there(route->behind, *this, *registry())) {
    return (this->*route->slow)(call);
  }
  return at_once(*answer_now(call));
}

Result<Reply> ServerState::set_level(const Call& call) {
  const auto params = json::decode<protocol::SetLevelParams>(call.params);
  if (!params) return refuse(Fault::invalid_params, params.error().message);
  if (!memories.set_level(call.context.conversation, params->level)) return no_conversation();
  return Reply{.body = json::Payload::trusted("{}")};
}

std::optional<Result<Reply>> Server::answer_now(Call& call) {
  state_->begin_serving();
  return state_->answer_now(call);
}

Task<Result<Reply>> Server::call(Call& call) {
  state_->begin_serving();
  return state_->dispatch(call);
}

// What clients tell is the session's business (initialized, cancelled, progress) or of no use to us yet (roots).
Task<void> Server::notify(session::Notice&) {
  co_return;
}

}  // namespace fairlead::server
