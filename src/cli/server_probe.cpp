#include "cli/server_probe.hpp"

#include <algorithm>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/client/connection.hpp>
#include <fairlead/protocol/revision.hpp>
#include <utility>

#include "base/duration.hpp"
#include "cli/credentials.hpp"
#include "cli/interactive_answers.hpp"
#include "cli/run_loop.hpp"
#include "config/secret_mask.hpp"
#include "gateway/explain/call_target.hpp"
#include "gateway/model/config_secrets.hpp"
#include "gateway/upstream/backend_factory.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::cli {
namespace {

// How long a process may take to exit after its stdin is closed, and again after SIGTERM.
constexpr Duration exit_grace_period = std::chrono::milliseconds{500};

Task<Result<void>> query_tools(client::Connection& server, ProbeResult* into) {
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

client::ClientOptions probe_client_options(const gateway::ServerConfig& server, const ProbeOptions& probe_servers) {
  auto options = gateway::upstream_options(server).client;
  use_login(options.http, server);
  add_declining_handlers(options);
  if (probe_servers.era) {
    options.era = *probe_servers.era;
    options.revision.clear();
  }
  options.discover_timeout = std::min(options.discover_timeout, probe_servers.deadline / 3);
  // Both requests of automatic negotiation must fit into the deadline.
  const bool is_probed = options.era == client::EraPreference::automatic && options.revision.empty();
  const auto each = is_probed ? probe_servers.deadline - options.discover_timeout : probe_servers.deadline;
  options.timeouts = {.idle = each, .total = each};
  options.reconnect = false;
  return options;
}

Task<void> probe_server(EventLoop loop, gateway::ServerConfig server, ProbeOptions options, ProbeResult* into) {
  const auto begun = real_clock().now();
  const auto body = [into](client::Connection& connection) { return query_tools(connection, into); };
  auto visit = client::with_server(loop, short_lived_endpoint(server), probe_client_options(server, options), body);
  // Longer than the request timeout plus the exit of the process: the request's error must come first, because it
  // carries the diagnosis.
  const auto in_all = Deadline::in(options.deadline + 2 * exit_grace_period + std::chrono::milliseconds{500});
  const auto ended = co_await with_deadline(loop.timers, in_all, std::move(visit));
  const std::chrono::duration<double, std::milli> taken = real_clock().now() - begun;
  into->milliseconds = taken.count();
  if (into->answers || ended) co_return;
  into->needs_sign_in = needs_sign_in(ended.error());
  auto error = gateway::redacted(gateway::secrets_of(server), ended.error());
  if (error.kind == ErrorKind::timeout) {
    error.message = "no response within " + write_duration(options.deadline);
    const auto known = error.diagnosis;
    if (known) error = with_diagnosis(std::move(error), *known);
  }
  into->error = config::SecretMask().value("error", error.message);
  if (error.diagnosis) into->diagnosis = *error.diagnosis;
}

}  // namespace

client::Endpoint short_lived_endpoint(const gateway::ServerConfig& server) {
  const auto endpoint = gateway::endpoint_of(server);
  const auto* child = std::get_if<transport::ChildOptions>(&endpoint.location());
  if (!child) return endpoint;
  auto brief = *child;
  brief.exit_timeout = exit_grace_period;
  return brief;
}

ProbeResult configured_only(const gateway::ServerConfig& server) {
  return {.name = server.name,
          .kind = server.url.empty() ? "command" : server.url.substr(0, server.url.find(':')),
          .address = gateway::server_address(server)};
}

std::vector<ProbeResult> probe_servers(const std::vector<gateway::ServerConfig>& servers, const ProbeOptions& options) {
  std::vector<ProbeResult> seen;
  for (const auto& server : servers) seen.push_back(configured_only(server));
  run_for_each(servers.size(), [&](EventLoop loop, std::size_t index) {
    return probe_server(std::move(loop), servers[index], options, &seen[index]);
  });
  return seen;
}

std::vector<gateway::ServerConfig> enabled_servers(const gateway::GatewayConfig& config) {
  auto servers = config.servers;
  std::erase_if(servers, &gateway::ServerConfig::disabled);
  return servers;
}

std::vector<OfferedTool> offered_tools(const std::vector<ProbeResult>& seen, const gateway::GatewayConfig& config) {
  std::vector<gateway::UpstreamNames> inside;
  for (const auto& each : seen) {
    const auto* server = config.find(each.name);
    gateway::UpstreamNames names{.server = each.name, .prefix = server ? server->prefix : ""};
    for (const auto& tool : each.tools) names.names.push_back(tool.name);
    inside.push_back(std::move(names));
  }
  std::vector<OfferedTool> offered;
  for (const auto& outside : gateway::client_names(inside, config.naming)) {
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
