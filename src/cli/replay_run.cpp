#include "cli/replay_run.hpp"

#include <fairlead/gateway/registry.hpp>
#include <fmt/format.h>
#include <ranges>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/to_text.hpp"
#include "gateway/routing/virtual_server.hpp"
#include "gateway/upstream/backend_factory.hpp"

namespace fairlead::cli {
namespace {

int show_report(const gateway::ReplayReport& report) {
  std::string text;
  for (const auto& each : report.differences) text += escape_for_terminal(each) + "\n";
  text += fmt::format("{} calls, {} server messages compared, {} differences\n", report.calls, report.compared,
                      report.differences.size());
  const int printed = print(text);
  return report.differences.empty() ? printed : exit_code::failed;
}

Result<gateway::Chain> fault_chain(const gateway::ArgumentList& fault, EventLoop loop) {
  if (fault.empty()) return gateway::chain();
  auto made = gateway::Registry::standard().make("fault", fault, std::move(loop));
  if (!made) return std::unexpected(std::move(made.error()));
  return gateway::chain().then(std::shared_ptr<gateway::Middleware>(std::move(*made)));
}

Task<int> replay_calls(gateway::Backend& server, gateway::VirtualServer& virtual_server, EventLoop loop,
                       gateway::Recording recording, gateway::ReplayClientOptions options) {
  const auto there = co_await server.describe();
  if (!there) co_return report_error("replay", escape_for_terminal(there.error().message), exit_code::unreachable);
  const auto report = co_await gateway::replay_as_client(loop, virtual_server.chain_service(), std::move(recording),
                                                         std::move(options));
  co_return show_report(report);
}

Task<int> play_recording(EventLoop loop, ReplayJob job) {
  auto recording = gateway::read_recording(job.file);
  auto chain = fault_chain(job.fault, loop);
  if (!recording) co_return report_error("replay", recording.error().message, exit_code::usage);
  if (!chain) co_return report_error("replay", chain.error().message, exit_code::usage);
  // Through the gateway's classes, which translate between the eras of clients and server.
  const auto server = gateway::make_backend(loop, job.server, gateway::upstream_options(job.server));
  gateway::VirtualServer virtual_server(loop, "replay", gateway::AggregatorOptions());
  std::vector<gateway::BackendSlot> slots(1);
  slots.front().backend = server;
  virtual_server.set_servers(std::move(slots));
  virtual_server.set_chain(*chain);
  const int code = co_await replay_calls(*server, virtual_server, loop, std::move(*recording), std::move(job.options));
  co_await virtual_server.stop();
  co_await server->stop();
  co_return code;
}

}  // namespace

int replay_to_server(ReplayJob job, LogSink& log) {
  return run_loop(log, [&](EventLoop loop) { return play_recording(std::move(loop), std::move(job)); });
}

Result<gateway::ArgumentList> read_fault(const std::string& text) {
  gateway::ArgumentList arguments;
  for (const auto part : std::views::split(text, ',')) {
    const std::string setting(part.begin(), part.end());
    if (setting.empty()) continue;
    const auto equals = setting.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorKind::invalid, fmt::format("--fault: '{}': expected name=value, such as drop=0.1", setting));
    }
    auto name = setting.substr(0, equals);
    if (name == "delay") name = "latency";
    arguments.emplace_back(std::move(name), setting.substr(equals + 1));
  }
  return arguments;
}

}  // namespace fairlead::cli
