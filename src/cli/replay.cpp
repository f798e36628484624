#include <charconv>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/gateway/record.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "cli/bridge_options.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/named_server.hpp"
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
  UrlOptions at = {};
  LogOptions log = {};
  ChosenServer server = {};
};

int replay_usage_error(std::string_view why) {
  print_stderr(fmt::format("fairlead replay: {}; see fairlead replay --help", why));
  return exit_code::usage;
}

void add_replay_options(Options& options, ReplayCommandOptions& flags) {
  options.positional("file", flags.file, "a file written by fairlead record", true);
  options.flag("--as-server", flags.as_server, "act as the recorded server, on stdin and stdout or on --port");
  options.flag("--as-client", flags.as_client, "act as the recorded clients, and report responses that differ");
  options.flag("--strict", flags.strict, "require the recorded order (default)");
  options.flag("--lenient", flags.lenient, "accept recorded requests in any order");
  options.text("--speed", flags.speed,
               "1 replays with the recorded pauses, 2 twice as fast, 0 without pauses (default)", "<factor>");
  options.text("--fault", flags.fault, "inject faults, with the arguments of the fault middleware", "<name=value,...>");
  options.repeatable("--ignore", flags.ignore, "a JSON member whose values are not compared", "<name>");
  options.text("--timeout", flags.timeout, "how long to wait for each expected message: 500ms, 30s (default), 2m",
               "<duration>");
  add_bridge_options(options, flags.bridge);
  add_url_options(options, flags.at);
  add_config_options(options, flags.log);
}

Result<double> read_speed(const std::string& text) {
  double speed = -1;
  const auto* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, speed);
  if (error == std::errc() && end == last && speed >= 0 && speed <= 1e6) return speed;
  return fail(ErrorKind::invalid,
              fmt::format("--speed: '{}' is not a factor; expected a number such as 0, 1 or 0.5", text));
}

int run_replay_server(const ReplayCommandOptions& flags, double speed) {
  auto decision = resolve_debug(flags.log);
  if (!decision) return replay_usage_error(decision.error().message);
  const auto fault = read_fault(flags.fault);
  if (!fault) return replay_usage_error(fault.error().message);
  gateway::ReplayOptions options{.path = flags.file, .lenient = flags.lenient, .speed = speed, .ignore = flags.ignore};
  gateway::LoadedConfig loaded;
  const auto applied = apply_listen_overrides(flags.bridge.listen, loaded);
  if (!applied) return replay_usage_error(applied.error().message);
  GatewayRun run{.app = {.config = std::move(loaded.config)}, .debug = std::move(*decision)};
  auto& config = run.app.config;
  run.show_banner = !flags.bridge.listen.port.empty();
  if (!run.show_banner) {
    listen_on_stdio(config.listen);
    config.log.level = LogLevel::warning;
  }
  if (!fault->empty()) config.chain.push_back({.name = "fault", .arguments = *fault});
  config.chain.push_back({.name = "replay"});
  run.app.registry.add("replay", {.usage = "replay()",
                                  .summary = "Answers with recorded responses.",
                                  .make = [options](gateway::MiddlewareArguments&, EventLoop loop) {
                                    return gateway::replay(options, std::move(loop));
                                  }});
  return run_gateway(std::move(run));
}

int run_replay_client(const ReplayCommandOptions& flags, double speed) {
  const auto decision = resolve_debug(flags.log);
  if (!decision) return replay_usage_error(decision.error().message);
  auto server = make_server_config(flags.server, flags.bridge, flags.at);
  if (!server) return replay_usage_error(server.error().message);
  auto fault = read_fault(flags.fault);
  if (!fault) return replay_usage_error(fault.error().message);
  const auto timeout = read_duration(flags.timeout);
  if (!timeout) return replay_usage_error("--timeout " + timeout.error().message);
  ReplayJob job{.file = flags.file, .server = *std::move(server), .fault = *std::move(fault)};
  job.options = {.lenient = flags.lenient, .speed = speed, .timeout = *timeout, .ignore = flags.ignore};
  const auto log = gateway::make_log(*decision, LogLevel::warning, false);
  return replay_to_server(std::move(job), *log.sink);
}

}  // namespace

int run_replay(const Args& args) {
  Options options(
      "replay <file> --as-server | --as-client [options] [<name> | <url> | -- <command...>]",
      "Replays a recorded session, as its server to test clients, or as its clients to test a server. The result does\n"
      "not depend on timing: recorded pauses are skipped unless --speed is given.",
      replay_examples);
  auto rest = args;
  ReplayCommandOptions flags;
  add_replay_options(options, flags);
  auto chosen = extract_server(rest, options);
  if (!chosen) return replay_usage_error(chosen.error().message);
  flags.server = *std::move(chosen);
  if (const auto done = options.parse(rest.own)) return *done;
  if (flags.as_server == flags.as_client) return replay_usage_error("give either --as-server or --as-client");
  if (flags.strict && flags.lenient) return replay_usage_error("give --strict or --lenient, not both");
  const auto speed = read_speed(flags.speed);
  if (!speed) return replay_usage_error(speed.error().message);
  if (flags.as_server && flags.server.is_set())
    return replay_usage_error("--as-server takes no server: it answers from the recording");
  if (flags.as_client && !flags.server.is_set())
    return replay_usage_error("--as-client needs a server: its configured name, its URL, or its command after --");
  return flags.as_server ? run_replay_server(flags, *speed) : run_replay_client(flags, *speed);
}

}  // namespace fairlead::cli
