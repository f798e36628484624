#include <type_traits>

#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

using session::Call;
using session::Reply;

using Method = Task<Result<Reply>> (*)(ServerState&, Call&, const Registry&);

enum class Feature : std::uint8_t { nothing, tools, resources, prompts, completions, logging, tasks, legacy_tasks };

/// A method, the feature that it needs to be available, and the function that handles it.
struct Route {
  std::string_view method;
  Feature required;
  Method run;
};

template <auto method>
Task<Result<Reply>> run(ServerState& server, Call& call, const Registry& all) {
  if constexpr (std::is_invocable_v<decltype(method), ServerState&, Call&>) {
    return (server.*method)(call);
  } else {
    return (server.*method)(call, all);
  }
}

Task<Result<Reply>> ping(ServerState&, Call&, const Registry&) {
  return Reply{.body = json::Payload::trusted("{}")};
}

// In the order of search; the most frequent first.
constexpr Route routes[] = {
    {protocol::CallTool::method, Feature::tools, run<&ServerState::call_tool>},
    {protocol::Initialize::method, Feature::nothing, run<&ServerState::initialize>},
    {protocol::Discover::method, Feature::nothing, run<&ServerState::discover>},
    {protocol::Ping::method, Feature::nothing, ping},
    {protocol::SetLevel::method, Feature::logging, run<&ServerState::set_level>},
    {protocol::ListTools::method, Feature::tools, run<&ServerState::list_tools>},
    {protocol::ListResources::method, Feature::resources, run<&ServerState::list_resources>},
    {protocol::ListResourceTemplates::method, Feature::resources, run<&ServerState::list_templates>},
    {protocol::ReadResource::method, Feature::resources, run<&ServerState::read_resource>},
    {protocol::Subscribe::method, Feature::resources, run<&ServerState::subscribe>},
    {protocol::Unsubscribe::method, Feature::resources, run<&ServerState::unsubscribe>},
    {protocol::ListPrompts::method, Feature::prompts, run<&ServerState::list_prompts>},
    {protocol::GetPrompt::method, Feature::prompts, run<&ServerState::get_prompt>},
    {protocol::Complete::method, Feature::completions, run<&ServerState::complete>},
    {protocol::Listen::method, Feature::nothing, run<&ServerState::listen>},
    {protocol::GetTask::method, Feature::tasks, run<&ServerState::get_task>},
    {protocol::UpdateTask::method, Feature::tasks, run<&ServerState::update_task>},
    {protocol::CancelTask::method, Feature::tasks, run<&ServerState::cancel_task>},
    {protocol::GetTaskResult::method, Feature::legacy_tasks, run<&ServerState::task_result>},
    {protocol::ListTasks::method, Feature::legacy_tasks, run<&ServerState::list_tasks>},
};

bool is_available(Feature what, const ServerState& server, const Registry& all, const Call& call) {
  switch (what) {
    case Feature::tools: return !all.tools.empty();
    case Feature::resources: return !all.resources.empty() || !all.templates.empty();
    case Feature::prompts: return !all.prompts.empty();
    case Feature::completions: return !all.completions.empty();
    case Feature::logging: return server.offers_logging();
    case Feature::tasks: return server.has_tasks(call);
    case Feature::legacy_tasks: return server.has_legacy_tasks(*call.context.revision);
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

}  // namespace

bool ServerState::is_core_method(std::string_view method) {
  return find_route(method) != nullptr;
}

Task<Result<Reply>> ServerState::dispatch(Call& call) {
  const auto* route = find_route(call.method);
  const auto all = registry();
  if (route == nullptr) return call_method(call);
  if (!is_available(route->required, *this, *all, call)) return refuse(ProtocolError::unknown_method, "", call.method);
  // Before the params: the client learns what to declare even if the task does not exist.
  if (route->required == Feature::tasks) {
    if (auto declared = require_tasks(call); !declared) return std::unexpected(std::move(declared.error()));
  }
  return route->run(*this, call, *all);
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
  return {};
}

}  // namespace fairlead::server
