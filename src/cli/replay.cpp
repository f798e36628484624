#include <fairlead/gateway/record.hpp>
#include <fairlead/gateway/registry.hpp>
#include <fmt/format.h>
#include <ranges>

#include "base/duration.hpp"
#include "base/parse_number.hpp"
#include "cli/bridge_options.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_gateway.hpp"
#include "cli/run_loop.hpp"
#include "cli/to_text.hpp"
#include "gateway/app/json_log.hpp"
#include "gateway/record/replay_client.hpp"
#include "gateway/routing/virtual_server.hpp"
#include "gateway/upstream/backend_factory.hpp"

namespace fairlead::cli {
namespace {

constexpr auto replay_examples = R"(  fairlead call echo text=hello -- fairlead replay s.mcpl --as-server
  fairlead replay s.mcpl --as-server --port 9000 --lenient
  fairlead replay s.mcpl --as-server --fault drop=0.1,delay=50ms,seed=7
  fairlead replay s.mcpl --as-client -- ./my-server --its-option
  fairlead replay s.mcpl --as-client https://example.com/mcp --lenient)";

struct ReplayCommandOptions {
  std::string file = {}, speed = "0", fault = {}, timeout = "30s";
  bool as_server = false, as_client = false, strict = false, lenient = false;
  std::vector<std::string> ignore = {};
  BridgeOptions bridge = {};
};

Result<double> read_speed(const std::string& text) {
  const auto speed = parse_number<double>(text);
  if (speed && *speed >= 0 && *speed <= 1e6) return *speed;
  return fail(ErrorKind::invalid,
              fmt::format("--speed: '{}' is not a factor; expected a number such as 0, 1 or 0.5", text));
}

/// Parses `--fault`, such as `drop=0.1,delay=50ms,seed=7`. The error is for the user.
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

int run_replay_server(const ReplayCommandOptions& flags, double speed) {
  auto decision = resolve_debug(flags.bridge.log);
  if (!decision) return usage_error("replay", decision.error().message);
  const auto fault = read_fault(flags.fault);
  if (!fault) return usage_error("replay", fault.error().message);
  gateway::ReplayOptions options{.path = flags.file, .lenient = flags.lenient, .speed = speed, .ignore = flags.ignore};
  gateway::LoadedConfig loaded;
  const auto applied = apply_listen_overrides(flags.bridge.listen, loaded);
  if (!applied) return usage_error("replay", applied.error().message);
  gateway::AppOptions app{.config = std::move(loaded.config)};
  auto& config = app.config;
  const bool show_banner = !flags.bridge.listen.port.empty();
  if (!show_banner) {
    listen_on_stdio(config.listen);
    config.log.level = LogLevel::warning;
  }
  if (!fault->empty()) config.chain.push_back({.name = "fault", .arguments = *fault});
  config.chain.push_back({.name = "replay"});
  app.registry.add("replay", {.usage = "replay()",
                              .summary = "Answers with recorded responses.",
                              .make = [options](gateway::MiddlewareArguments&, EventLoop loop) {
                                return gateway::replay(options, std::move(loop));
                              }});
  return run_gateway(std::move(app), *decision, show_banner);
}

/// A recording to replay against a server.
struct ReplayJob {
  std::string file;
  gateway::ServerConfig server;
  gateway::ArgumentList fault = {};  ///< Arguments of the fault middleware; empty for no faults.
  gateway::ReplayClientOptions options = {};
};

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

/// Replays the recording and prints each difference. Returns the exit code: a failure if there are differences.
int replay_to_server(ReplayJob job, LogSink& log) {
  return run_loop(log, [&](EventLoop loop) { return play_recording(std::move(loop), std::move(job)); });
}

int run_replay_client(const ReplayCommandOptions& flags, double speed) {
  const auto decision = resolve_debug(flags.bridge.log);
  if (!decision) return usage_error("replay", decision.error().message);
  auto server = make_server_config(flags.bridge);
  if (!server) return usage_error("replay", server.error().message);
  auto fault = read_fault(flags.fault);
  if (!fault) return usage_error("replay", fault.error().message);
  const auto timeout = read_duration(flags.timeout);
  if (!timeout) return usage_error("replay", "--timeout " + timeout.error().message);
  ReplayJob job{.file = flags.file, .server = *std::move(server), .fault = *std::move(fault)};
  job.options = {.lenient = flags.lenient, .speed = speed, .timeout = *timeout, .ignore = flags.ignore};
  const auto log = gateway::make_log(*decision, LogLevel::warning, false);
  return replay_to_server(std::move(job), *log);
}

int run_replay(ReplayCommandOptions flags) {
  if (flags.as_server == flags.as_client) return usage_error("replay", "give either --as-server or --as-client");
  if (flags.strict && flags.lenient) return usage_error("replay", "give --strict or --lenient, not both");
  const auto speed = read_speed(flags.speed);
  if (!speed) return usage_error("replay", speed.error().message);
  if (flags.as_server && flags.bridge.server.is_set())
    return usage_error("replay", "--as-server takes no server: it answers from the recording");
  if (flags.as_client && !flags.bridge.server.is_set())
    return usage_error("replay", "--as-client needs a server: its configured name, its URL, or its command after --");
  return flags.as_server ? run_replay_server(flags, *speed) : run_replay_client(flags, *speed);
}

}  // namespace

RunCommand declare_replay(Options& options) {
  auto flags = std::make_shared<ReplayCommandOptions>();
  options.describe("replay <file> --as-server | --as-client [options] [<name> | <url> | -- <command...>]",
                   "Replays a recorded session, as its server to test clients, or as its clients to "
                   "test a server. The result does\n"
                   "not depend on timing: recorded pauses are skipped unless --speed is given.",
                   replay_examples);
  options.positional("file", flags->file, "a file written by fairlead record", true);
  options.flag("--as-server", flags->as_server, "act as the recorded server, on stdin and stdout or on --port");
  options.flag("--as-client", flags->as_client, "act as the recorded clients, and report responses that differ");
  options.flag("--strict", flags->strict, "require the recorded order (default)");
  options.flag("--lenient", flags->lenient, "accept recorded requests in any order");
  options.text("--speed", flags->speed,
               "1 replays with the recorded pauses, 2 twice as fast, 0 without pauses (default)", "<factor>");
  options.text("--fault", flags->fault, "inject faults, with the arguments of the fault middleware",
               "<name=value,...>");
  options.repeatable("--ignore", flags->ignore, "a JSON member whose values are not compared", "<name>");
  options.text("--timeout", flags->timeout, "how long to wait for each expected message: 500ms, 30s (default), 2m",
               "<duration>");
  add_bridge_options(options, flags->bridge);
  add_config_options(options, flags->bridge.log);
  add_server_argument(options, flags->bridge.server);
  return [flags] { return run_replay(*flags); };
}

}  // namespace fairlead::cli
