#include "cli/replaying.hpp"

#include <fairlead/gateway/registry.hpp>
#include <fmt/format.h>
#include <ranges>
#include <utility>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/show.hpp"
#include "gateway/endpoint.hpp"
#include "gateway/room.hpp"

namespace fairlead::cli {
namespace {

int show_report(const gateway::ReplayReport& report) {
  std::string text;
  for (const auto& each : report.differences) text += for_terminal(each) + "\n";
  text += fmt::format("{} calls, {} messages of the server compared, {} differences\n", report.calls, report.compared,
                      report.differences.size());
  const int printed = print(text);
  return report.differences.empty() ? printed : exit_code::failed;
}

Result<gateway::Chain> way_with_faults(const gateway::ArgumentList& fault, Loop loop) {
  if (fault.empty()) return gateway::chain();
  auto made = gateway::Registry::standard().make("fault", fault, std::move(loop));
  if (!made) return std::unexpected(std::move(made.error()));
  return gateway::chain().then(std::shared_ptr<gateway::Middleware>(std::move(*made)));
}

Task<int> play_to(gateway::Member& server, gateway::Room& room, Loop loop, gateway::Recording recording,
                  gateway::ReplayClientOptions options) {
  const auto there = co_await server.describe();
  if (!there) {
    complain("fairlead replay: " + for_terminal(there.error().message));
    co_return exit_code::unreachable;
  }
  const auto report =
      co_await gateway::replay_as_client(loop, room.behind_front(), std::move(recording), std::move(options));
  co_return show_report(report);
}

Task<int> play_recording(Loop loop, Replaying replaying) {
  auto recording = gateway::read_recording(replaying.file);
  auto chain = way_with_faults(replaying.fault, loop);
  if (!recording || !chain) {
    complain("fairlead replay: " + (recording ? chain.error().message : recording.error().message));
    co_return exit_code::usage;
  }
  // As the gateway reaches it, which gives each client the era that fits it.
  const auto server = gateway::way_to(loop, replaying.server, gateway::upstream_options(replaying.server));
  gateway::Room room(loop, "replay", protocol::Implementation(), gateway::MergeOptions());
  std::vector<gateway::Seat> seats(1);
  seats.front().member = server.member;
  room.set_servers(std::move(seats));
  room.set_chain(*chain);
  const int code = co_await play_to(*server.member, room, loop, std::move(*recording), std::move(replaying.options));
  co_await room.stop();
  co_await server.stop();
  co_return code;
}

}  // namespace

int replay_against(Replaying replaying, LogSink& log) {
  return run_loop(log, [&](Loop loop) { return play_recording(std::move(loop), std::move(replaying)); });
}

Result<gateway::ArgumentList> read_fault(const std::string& text) {
  gateway::ArgumentList arguments;
  for (const auto part : std::views::split(text, ',')) {
    const std::string setting(part.begin(), part.end());
    if (setting.empty()) continue;
    const auto equals = setting.find('=');
    if (equals == std::string::npos) {
      return fail(ErrorKind::invalid, fmt::format("--fault: write '{}' like drop=0.1", setting));
    }
    auto name = setting.substr(0, equals);
    if (name == "delay") name = "latency";
    arguments.emplace_back(std::move(name), setting.substr(equals + 1));
  }
  return arguments;
}

}  // namespace fairlead::cli
