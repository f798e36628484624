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
#include "cli/named_server.hpp"
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

std::atomic<bool> bench_stopped = false;

void stop_bench(int) {
  bench_stopped = true;
}

int bench_failed(const BenchServer& server, const Error& error) {
  print_stderr("fairlead bench: " + escape_for_terminal(gateway::redacted(server.secrets, error).message));
  return exit_code::unreachable;
}

int bench_usage_error(std::string_view why) {
  print_stderr(fmt::format("fairlead bench: {}; see fairlead bench --help", why));
  return exit_code::usage;
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
    std::signal(SIGINT, stop_bench);
    std::signal(SIGTERM, stop_bench);
    if (choice_.idle > 0) return idle();
    if (choice_.starts > 0) return starts();
    BenchDocument document{.server = server_.display_name, .tool = flags_.tool, .stateless = flags_.stateless};
    return measure(document);
  }

 private:
  std::optional<int> resolve_arguments(LogSink& log) {
    json::Payload schema;
    if (!flags_.unchecked) {
      auto asked = fetch_tool_schema(server_, flags_, log);
      if (!asked && asked.error().kind == ErrorKind::invalid) return bench_usage_error(asked.error().message);
      if (!asked) return bench_failed(server_, asked.error());
      schema = std::move(*asked);
    }
    const auto set = set_arguments(choice_.plan.style.call, flags_.arguments, schema);
    return set ? std::nullopt : std::optional(bench_usage_error(set.error().message));
  }

  int measure(BenchDocument& document) {
    auto plan = choice_.plan;
    auto other = plan;
    auto other_server = server_;
    if (!flags_.against.empty()) {
      auto found = bench_server_from_argument(flags_.against, flags_.url, flags_.log.files);
      if (!found) return bench_usage_error("--against: " + found.error().message);
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
      if (bench_stopped) break;
      plan.connections = other.connections = connections;
      const auto done = measure_once(plan, document.runs);
      if (!done && !bench_stopped) return bench_failed(server_, done.error());
      if (!done) break;
      const auto also = document.against ? measure_once(other, *document.against_runs) : Result<void>();
      if (!also && !bench_stopped) return bench_failed(other_server, also.error());
      if (!also) break;
      if (!document.against) continue;
      document.comparison->push_back(compare_runs(document.runs.back(), document.against_runs->back()));
    }
    return conclude(document);
  }

  static Result<void> measure_once(load::LoadPlan& plan, std::vector<load::LoadReport>& reports) {
    if (plan.target.url && !plan.server) plan.server = load::listener_on(plan.target.url->port);
    auto report = load::run_load(plan, bench_stopped);
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
    return bench_stopped ? exit_code::failed : code;
  }

  int idle() {
    if (!choice_.plan.target.url) return bench_usage_error("--idle needs a server at a URL");
    auto server = choice_.plan.server;
    if (!server) server = load::listener_on(choice_.plan.target.url->port);
    const auto report =
        load::hold_idle_streams(choice_.plan.target, choice_.idle, choice_.hold_seconds, server, bench_stopped);
    if (!report) return bench_failed(server_, report.error());
    return print(flags_.json ? json::encode(*report) + "\n" : show_idle(*report));
  }

  int starts() {
    if (!server_.target.is_command()) return bench_usage_error("--starts needs a server that is started by a command");
    const auto report = load::time_starts(choice_.plan.target, choice_.starts, bench_stopped);
    if (!report) return bench_failed(server_, report.error());
    return print(flags_.json ? json::encode(*report) + "\n" : show_starts(*report));
  }

  BenchOptions flags_;
  BenchSettings choice_;
  BenchServer server_;
};

Result<BenchServer> resolve_bench_server(const ChosenServer& chosen, const BenchOptions& flags) {
  if (chosen.configured) return bench_server_from_config(*chosen.configured);
  if (!chosen.url.empty()) return bench_server_from_url(chosen.url, flags.url);
  if (!chosen.command.empty()) return bench_server_from_command(chosen.command);
  return fail(
      ErrorKind::invalid,
      "no server given: add the name of a configured server, its URL, or its command after --, as in: -- ./server");
}

}  // namespace

int run_bench(const Args& given) {
  Options options("bench [name=value...] [options] <name> | <url> | -- <server command...>",
                  "Calls a tool in a loop and reports calls per second, latency, CPU time and memory.", bench_examples);
  BenchOptions flags;
  add_bench_options(options, flags);
  auto left = given;
  const auto chosen = extract_server(left, options);
  if (!chosen) return bench_usage_error(chosen.error().message);
  if (const auto done = options.parse(left.own)) return *done;
  auto server = resolve_bench_server(*chosen, flags);
  if (!server) return bench_usage_error(server.error().message);
  auto choice = resolve_bench_settings(flags);
  if (!choice) return bench_usage_error(choice.error().message);
  auto debug = resolve_debug(flags.log);
  if (!debug) return bench_usage_error(debug.error().message);
  ProgramLog log(*debug, LogLevel::warning);
  for (const auto& secret : server->secrets) log.redactor().add_secret(secret);
  return BenchRun(std::move(flags), std::move(*choice), std::move(*server)).run(log);
}

}  // namespace fairlead::cli
