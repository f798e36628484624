#include "cli/definitions.hpp"

#include <fairlead/base/debug_options.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "base/duration.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_probe.hpp"
#include "config/secret_mask.hpp"
#include "gateway/upstream/backend_factory.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::cli {
namespace {

using gateway::ListKind;

Task<Result<void>> fetch_definition_list(gateway::Upstream& server, ListKind kind,
                                         std::vector<gateway::ListItem>* into) {
  const gateway::ListLimits limits;
  auto list = co_await gateway::fetch_list(server, kind, limits);
  if (!list) co_return std::unexpected(std::move(list.error()));
  *into = std::move(list->items);
  co_return Result<void>();
}

Task<Result<void>> fetch_definition_lists(gateway::Upstream& server, ServerDefinitions* into) {
  auto described = co_await server.describe();
  if (!described) co_return std::unexpected(std::move(described.error()));
  into->revision = described->revision;
  for (const auto kind : {ListKind::tools, ListKind::prompts}) {
    if (!gateway::is_offered(kind, described->capabilities)) continue;
    auto taken = co_await fetch_definition_list(server, kind, kind == ListKind::tools ? &into->tools : &into->prompts);
    if (!taken) co_return taken;
  }
  co_return Result<void>();
}

Task<void> fetch_from_server(EventLoop loop, gateway::ServerConfig config, Duration deadline, ServerDefinitions* into) {
  auto options = gateway::upstream_options(config);
  options.client.timeouts = {.idle = deadline, .total = deadline};
  options.client.discover_timeout = std::min(options.client.discover_timeout, deadline / 3);
  gateway::Upstream server(loop, short_lived_endpoint(config), std::move(options));
  const auto taken = co_await with_deadline(loop.timers, Deadline::in(deadline), fetch_definition_lists(server, into));
  co_await server.stop();
  into->answers = taken.has_value();
  if (taken) co_return;
  const bool late = taken.error().kind == ErrorKind::timeout;
  into->error = late ? "no response within " + write_duration(deadline)
                     : config::SecretMask().value("error", taken.error().message);
}

Task<void> no_further_work() {
  co_return;
}

Task<int> fetch_from_all(EventLoop loop, std::vector<gateway::ServerConfig> servers, Duration deadline,
                         std::vector<ServerDefinitions>& all) {
  const std::function<Task<void>(TaskScope&)> body = [&](TaskScope& tasks) {
    for (std::size_t i = 0; i < servers.size(); ++i)
      tasks.spawn(fetch_from_server(loop, servers[i], deadline, &all[i]));
    return no_further_work();
  };
  co_await with_scope(loop.log, "definitions", body);
  co_return 0;
}

}  // namespace

std::vector<ServerDefinitions> fetch_definitions(const std::vector<gateway::ServerConfig>& servers, Duration deadline) {
  std::vector<ServerDefinitions> all;
  for (const auto& server : servers) all.push_back({.server = server.name});
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](EventLoop loop) { return fetch_from_all(loop, servers, deadline, all); });
  return all;
}

}  // namespace fairlead::cli
