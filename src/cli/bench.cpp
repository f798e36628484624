#include <algorithm>
#include <atomic>
#include <csignal>
#include <fairlead/client.hpp>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "base/closest_match.hpp"
#include "cli/bench_options.hpp"
#include "cli/bench_report.hpp"
#include "cli/bench_server.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"
#include "cli/typed_arguments.hpp"
#include "gateway/upstream/upstream_errors.hpp"
#include "load/process_usage.hpp"

namespace fairlead::cli {
namespace {

constexpr auto bench_examples = R"(  fairlead bench http://127.0.0.1:8080/mcp
  fairlead bench --connections 1,256 --seconds 5 --stateless http://127.0.0.1:8080/mcp
  fairlead bench --tool search query=cats limit=5 http://127.0.0.1:8080/mcp
  fairlead bench --tool progress steps=10 --progress 10 http://127.0.0.1:8080/mcp
  fairlead bench --in-flight 64 -- ./my-server
  fairlead bench memory --tool read_graph
  fairlead bench http://127.0.0.1:8080/mcp --against http://127.0.0.1:9000/mcp
  fairlead bench --idle 1000 http://127.0.0.1:8080/mcp)";

/// Becomes true at SIGINT or SIGTERM, from now on. Static, because a signal handler has no context.
const std::atomic<bool>& watch_stop_signals() {
  static std::atomic<bool> stopped = false;
  const auto stop = [](int) { stopped = true; };
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  return stopped;
}

int bench_failed(const BenchServer& server, const Error& error) {
  const auto why = escape_for_terminal(gateway::redacted(server.secrets, error).message);
  return report_error("bench", why, exit_code::unreachable);
}

/// The input schema of a tool that the server lists. The error suggests a tool with a similar name.
Result<json::Payload> find_tool_schema(client::Client& client, const std::string& tool) {
  const auto tools = client.tools();
  const auto found = std::ranges::find(tools, tool, &protocol::Tool::name);
  if (found != tools.end()) return found->inputSchema;
  std::vector<std::string> names;
  for (const auto& each : tools) names.push_back(each.name);
  const auto near = closest_match(tool, names);
  return fail(ErrorKind::invalid, fmt::format("the server has no tool '{}'{}", tool,
                                              near ? fmt::format("; did you mean '{}'?", *near)
                                                   : std::string("; choose another with --tool")));
}

Result<json::Payload> fetch_tool_schema(const BenchServer& server, const BenchOptions& flags, LogSink& log) {
  client::ClientOptions options;
  options.era = flags.stateless ? client::EraPreference::stateless : client::EraPreference::handshake;
  if (server.revision) options.revision = server.revision->name;
  options.http = server.http;
  options.reconnect = false;
  options.log = &log;
  try {
    client::Client client(server.endpoint, std::move(options));
    return find_tool_schema(client, flags.tool);
  } catch (const client::Failure& failure) {
    return std::unexpected(failure.error());
  }
}

/// Keeps the default call for `echo` without arguments; otherwise sets the given arguments.
Result<void> set_arguments(load::LoadCall& call, const std::vector<std::string>& assignments,
                           const json::Payload& schema) {
  if (call.tool == "echo" && assignments.empty()) return {};
  auto arguments = typed_arguments(assignments, schema);
  if (!arguments) return std::unexpected(std::move(arguments.error()));
  call.arguments = std::move(*arguments);
  call.echoes = false;
  return {};
}

class BenchRun {
 public:
  BenchRun(BenchOptions flags, BenchSettings choice, BenchServer server)
      : flags_(std::move(flags)), choice_(std::move(choice)), server_(std::move(server)) {
    choice_.plan.target = server_.target;
    // The command line overrides the configuration.
    if (flags_.stateless) server_.revision = nullptr;
    if (!server_.revision) return;
    choice_.plan.style.revision = server_.revision;
    flags_.stateless = server_.revision->lifecycle != protocol::Lifecycle::handshake;
  }

  int run(LogSink& log) {
    const bool calls = choice_.idle == 0 && choice_.starts == 0;
    if (const auto wrong = calls ? resolve_arguments(log) : std::nullopt) return *wrong;
    // From here on, an interrupted run prints the results so far.
    stopped_ = &watch_stop_signals();
    if (choice_.idle > 0) return idle();
    if (choice_.starts > 0) return starts();
    BenchDocument document{.server = server_.display_name, .tool = flags_.tool, .stateless = flags_.stateless};
    return measure(document);
  }

 private:
  std::optional<int> resolve_arguments(LogSink& log) {
    json::Payload schema;
    if (!flags_.unchecked) {
      auto fetched = fetch_tool_schema(server_, flags_, log);
      if (!fetched && fetched.error().kind == ErrorKind::invalid) return usage_error("bench", fetched.error().message);
      if (!fetched) return bench_failed(server_, fetched.error());
      schema = std::move(*fetched);
    }
    const auto set = set_arguments(choice_.plan.style.call, flags_.arguments, schema);
    return set ? std::nullopt : std::optional(usage_error("bench", set.error().message));
  }

  int measure(BenchDocument& document) {
    auto plan = choice_.plan;
    auto other = plan;
    auto other_server = server_;
    if (!flags_.against.empty()) {
      auto found = bench_server_from_argument(flags_.against, flags_.url, flags_.log.files);
      if (!found) return usage_error("bench", "--against: " + found.error().message);
      other_server = std::move(*found);
      other.target = other_server.target;
      other.server.reset();
      document.against = other_server.display_name;
      document.against_runs.emplace();
      document.comparison.emplace();
    }
    // A server command has one pair of pipes, so one connection.
    if (plan.target.is_command() || other.target.is_command()) choice_.connections = {1};
    for (const auto connections : choice_.connections) {
      if (*stopped_) break;
      plan.connections = other.connections = connections;
      const auto done = measure_once(plan, document.runs);
      if (!done && !*stopped_) return bench_failed(server_, done.error());
      if (!done) break;
      const auto also = document.against ? measure_once(other, *document.against_runs) : Result<void>();
      if (!also && !*stopped_) return bench_failed(other_server, also.error());
      if (!also) break;
      if (!document.against) continue;
      document.comparison->push_back(compare_runs(document.runs.back(), document.against_runs->back()));
    }
    return conclude(document);
  }

  Result<void> measure_once(load::LoadPlan& plan, std::vector<load::LoadReport>& reports) const {
    if (plan.target.url && !plan.server) plan.server = load::listener_on(plan.target.url->port);
    auto report = load::run_load(plan, *stopped_);
    if (!report) return std::unexpected(std::move(report.error()));
    reports.push_back(std::move(*report));
    return {};
  }

  int conclude(const BenchDocument& document) const {
    int code = print(flags_.json ? json::encode(document) + "\n" : show_bench(document));
    for (const auto& run : document.runs) {
      if (run.failures + run.stuck == 0) continue;
      print_stderr(fmt::format("fairlead bench: {} connections: {} calls failed, {} were not answered: {}",
                               run.connections, run.failures, run.stuck,
                               escape_for_terminal(run.first_failure.value_or("no answer"))));
      code = exit_code::failed;
    }
    return *stopped_ ? exit_code::failed : code;
  }

  int idle() {
    if (!choice_.plan.target.url) return usage_error("bench", "--idle needs a server at a URL");
    auto server = choice_.plan.server;
    if (!server) server = load::listener_on(choice_.plan.target.url->port);
    const auto report =
        load::hold_idle_streams(choice_.plan.target, choice_.idle, choice_.hold_seconds, server, *stopped_);
    if (!report) return bench_failed(server_, report.error());
    return print(flags_.json ? json::encode(*report) + "\n" : show_idle(*report));
  }

  int starts() {
    if (!server_.target.is_command())
      return usage_error("bench", "--starts needs a server that is started by a command");
    const auto report = load::time_starts(choice_.plan.target, choice_.starts, *stopped_);
    if (!report) return bench_failed(server_, report.error());
    return print(flags_.json ? json::encode(*report) + "\n" : show_starts(*report));
  }

  BenchOptions flags_;
  BenchSettings choice_;
  BenchServer server_;
  const std::atomic<bool>* stopped_ = nullptr;  // Set by run().
};

Result<BenchServer> resolve_bench_server(const BenchOptions& flags) {
  const auto& chosen = flags.server;
  if (chosen.configured) return bench_server_from_config(*chosen.configured);
  if (!chosen.url.empty()) return bench_server_from_url(chosen.url, flags.url);
  if (!chosen.command.empty()) return bench_server_from_command(chosen.command);
  return fail(
      ErrorKind::invalid,
      "no server given: add the name of a configured server, its URL, or its command after --, as in: -- ./server");
}

int run_bench(BenchOptions flags) {
  auto server = resolve_bench_server(flags);
  if (!server) return usage_error("bench", server.error().message);
  auto choice = resolve_bench_settings(flags);
  if (!choice) return usage_error("bench", choice.error().message);
  auto debug = resolve_debug(flags.log);
  if (!debug) return usage_error("bench", debug.error().message);
  ProgramLog log(*debug, LogLevel::warning);
  for (const auto& secret : server->secrets) log.redactor().add_secret(secret);
  return BenchRun(std::move(flags), std::move(*choice), std::move(*server)).run(log);
}

}  // namespace

RunCommand declare_bench(Options& options) {
  auto flags = std::make_shared<BenchOptions>();
  options.describe("bench [name=value...] [options] <name> | <url> | -- <server command...>",
                   "Calls a tool in a loop and reports calls per second, latency, CPU time and memory.",
                   bench_examples);
  add_bench_options(options, *flags);
  add_server_argument(options, flags->server);
  return [flags] { return run_bench(*flags); };
}

}  // namespace fairlead::cli
