#include <fairlead/gateway/record.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "base/parse_number.hpp"
#include "cli/bridge_options.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/replay_run.hpp"
#include "cli/run_gateway.hpp"
#include "gateway/app/json_log.hpp"

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
  return replay_to_server(std::move(job), *log.sink);
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
