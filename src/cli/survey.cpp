#include "cli/survey.hpp"

#include <algorithm>
#include <fairlead/base/debug_switch.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/client/connection.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "cli/run_loop.hpp"
#include "cli/user.hpp"
#include "gateway/config/mask.hpp"
#include "gateway/endpoint.hpp"
#include "gateway/explain/ending.hpp"
#include "gateway/server_secrets.hpp"
#include "gateway/upstream/failure.hpp"

namespace fairlead::cli {
namespace {

// A process gets so long to end when its stdin is closed, and again after SIGTERM.
constexpr Duration brief_patience = std::chrono::milliseconds{500};

Task<Result<void>> ask(client::Connection& server, Sighting* into) {
  const auto description = server.server();
  into->revision = description.revision ? description.revision->name : "";
  if (description.capabilities.tools) {
    auto tools = co_await server.tools();
    if (!tools) co_return std::unexpected(std::move(tools.error()));
    into->tools = *std::move(tools);
  }
  into->answers = true;
  co_return Result<void>{};
}

client::ClientOptions options_for(const gateway::ServerConfig& server, const SurveyOptions& survey) {
  auto options = gateway::upstream_options(server).client;
  offer_everything(options);
  if (survey.era) {
    options.era = *survey.era;
    options.revision.clear();
  }
  options.probe = std::min(options.probe, survey.deadline / 3);
  // Within the deadline in all: who is asked twice has less time for each.
  const bool is_probed = options.era == client::Era::automatic && options.revision.empty();
  const auto each = is_probed ? survey.deadline - options.probe : survey.deadline;
  options.patience = {.idle = each, .cap = each};
  options.reconnect = false;
  return options;
}

Task<void> look(Loop loop, gateway::ServerConfig server, SurveyOptions options, Sighting* into) {
  const auto begun = real_clock().now();
  const auto body = [into](client::Connection& connection) { return ask(connection, into); };
  auto visit = client::with_server(loop, brief_way_to(server), options_for(server, options), body);
  // Time also for ending a process that was asked in vain and for a little more, so that the error of a request that
  // nobody answers comes first: it carries the diagnosis.
  const auto in_all = Deadline::in(options.deadline + 2 * brief_patience + std::chrono::milliseconds{500});
  const auto ended = co_await with_deadline(loop.timers, in_all, std::move(visit));
  const std::chrono::duration<double, std::milli> taken = real_clock().now() - begun;
  into->milliseconds = taken.count();
  if (into->answers || ended) co_return;
  auto error = gateway::without(gateway::secrets_of(server), ended.error());
  if (error.kind == ErrorKind::timeout) {
    error.message = "no answer within " + write_duration(options.deadline);
    const auto known = error.diagnosis;
    if (known) error = with_diagnosis(std::move(error), *known);
  }
  into->trouble = gateway::Mask().value("trouble", error.message);
  if (error.diagnosis) into->diagnosis = *error.diagnosis;
}

Task<void> look_at_all(Loop loop, TaskScope& tasks, const std::vector<gateway::ServerConfig>& servers,
                       SurveyOptions options, std::vector<Sighting>& seen) {
  for (std::size_t index = 0; index < servers.size(); ++index) {
    tasks.spawn(look(loop, servers[index], options, &seen[index]));
  }
  co_return;
}

Task<int> in_scope(Loop loop, std::function<Task<void>(TaskScope&)> body) {
  co_await with_scope(loop.log, "survey", std::move(body));
  co_return 0;
}

}  // namespace

client::Endpoint brief_way_to(const gateway::ServerConfig& server) {
  const auto endpoint = gateway::endpoint_of(server);
  const auto* child = std::get_if<transport::ChildOptions>(&endpoint.place());
  if (!child) return endpoint;
  auto brief = *child;
  brief.patience = brief_patience;
  return brief;
}

Sighting unseen(const gateway::ServerConfig& server) {
  return {.name = server.name,
          .kind = server.url.empty() ? "command" : server.url.substr(0, server.url.find(':')),
          .address = gateway::shown_address(server)};
}

std::vector<Sighting> survey(const std::vector<gateway::ServerConfig>& servers, const SurveyOptions& options) {
  std::vector<Sighting> seen;
  for (const auto& server : servers) seen.push_back(unseen(server));
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](Loop loop) {
    return in_scope(loop, [&, loop](TaskScope& tasks) { return look_at_all(loop, tasks, servers, options, seen); });
  });
  return seen;
}

std::vector<gateway::ServerConfig> enabled_servers(const gateway::GatewayConfig& config) {
  auto servers = config.servers;
  std::erase_if(servers, &gateway::ServerConfig::disabled);
  return servers;
}

std::vector<OfferedTool> offered_tools(const std::vector<Sighting>& seen, const gateway::GatewayConfig& config) {
  std::vector<gateway::InsideNames> inside;
  for (const auto& each : seen) {
    const auto* server = config.find(each.name);
    gateway::InsideNames names{.server = each.name, .prefix = server ? server->prefix : ""};
    for (const auto& tool : each.tools) names.names.push_back(tool.name);
    inside.push_back(std::move(names));
  }
  std::vector<OfferedTool> offered;
  for (const auto& outside : gateway::outside_names(inside, config.merge)) {
    const auto& tool = seen[outside.server].tools[outside.item];
    offered.push_back({.server = seen[outside.server].name,
                       .tool = tool.name,
                       .name = outside.name,
                       .change = outside.change,
                       .description = tool.description.value_or(tool.title.value_or(""))});
  }
  return offered;
}

}  // namespace fairlead::cli
