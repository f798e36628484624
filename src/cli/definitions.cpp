#include "cli/definitions.hpp"

#include <fairlead/base/debug_switch.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "base/duration.hpp"
#include "cli/run_loop.hpp"
#include "cli/survey.hpp"
#include "gateway/config/mask.hpp"
#include "gateway/endpoint.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::cli {
namespace {

using gateway::ListKind;

Task<Result<void>> take_list(gateway::Upstream& server, ListKind kind, std::vector<gateway::ListItem>* into) {
  const gateway::ListLimits limits;
  auto list = co_await gateway::fetch_list(server, kind, limits);
  if (!list) co_return std::unexpected(std::move(list.error()));
  *into = std::move(list->items);
  co_return Result<void>();
}

Task<Result<void>> take_lists(gateway::Upstream& server, Definitions* into) {
  auto described = co_await server.describe();
  if (!described) co_return std::unexpected(std::move(described.error()));
  into->revision = described->revision;
  for (const auto kind : {ListKind::tools, ListKind::prompts}) {
    if (!gateway::is_offered(kind, described->capabilities)) continue;
    auto taken = co_await take_list(server, kind, kind == ListKind::tools ? &into->tools : &into->prompts);
    if (!taken) co_return taken;
  }
  co_return Result<void>();
}

Task<void> define(Loop loop, gateway::ServerConfig config, Duration deadline, Definitions* into) {
  auto options = gateway::upstream_options(config);
  options.client.patience = {.idle = deadline, .cap = deadline};
  options.client.probe = std::min(options.client.probe, deadline / 3);
  gateway::Upstream server(loop, brief_way_to(config), std::move(options));
  const auto taken = co_await with_deadline(loop.timers, Deadline::in(deadline), take_lists(server, into));
  co_await server.stop();
  into->answers = taken.has_value();
  if (taken) co_return;
  const bool late = taken.error().kind == ErrorKind::timeout;
  into->trouble =
      late ? "no answer within " + write_duration(deadline) : gateway::Mask().value("trouble", taken.error().message);
}

Task<void> nothing_more() {
  co_return;
}

Task<int> define_all(Loop loop, std::vector<gateway::ServerConfig> servers, Duration deadline,
                     std::vector<Definitions>& all) {
  const std::function<Task<void>(TaskScope&)> body = [&](TaskScope& tasks) {
    for (std::size_t i = 0; i < servers.size(); ++i) tasks.spawn(define(loop, servers[i], deadline, &all[i]));
    return nothing_more();
  };
  co_await with_scope(loop.log, "definitions", body);
  co_return 0;
}

}  // namespace

std::vector<Definitions> definitions_of(const std::vector<gateway::ServerConfig>& servers, Duration deadline) {
  std::vector<Definitions> all;
  for (const auto& server : servers) all.push_back({.server = server.name});
  ProgramLog log({}, LogLevel::error);
  run_loop(log, [&](Loop loop) { return define_all(loop, servers, deadline, all); });
  return all;
}

}  // namespace fairlead::cli
