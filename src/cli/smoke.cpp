#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_options.hpp"
#include "cli/smoke_run.hpp"
#include "client/transport_opener.hpp"
#include "gateway/upstream/backend_factory.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::cli {
namespace {

constexpr auto smoke_examples = R"(  fairlead smoke -- ./server
  fairlead smoke --tool echo --args '{"text":"hi"}' -- ./server
  fairlead smoke --framing content-length -- ./server
  fairlead smoke https://example.com/mcp
  fairlead smoke memory)";

std::string as_text(const SmokeReport& report) {
  std::string text;
  for (const auto& step : report.steps) {
    text += fmt::format("{:<5} {:<11} {}\n", step.ok ? "ok" : "FAIL", step.method, step.detail);
  }
  for (const auto& problem : report.problems) text += fmt::format("FAIL  {}\n", problem);
  return text + fmt::format("{} requests, {} responses: {}\n", report.steps.size(), report.responses,
                            report.ok() ? "passed" : "failed");
}

std::string as_json(const SmokeReport& report) {
  struct ConfigDocument {
    bool ok;
    int responses;
    std::vector<SmokeStep> steps;
    std::vector<std::string> problems;
  };
  return json::encode(ConfigDocument{report.ok(), report.responses, report.steps, report.problems}) + "\n";
}

int print_smoke_report(const SmokeReport& report, bool json) {
  const int printed = print(json ? as_json(report) : as_text(report));
  if (!report.reached) return exit_code::unreachable;
  return report.ok() ? printed : exit_code::failed;
}

/// The server under test.
struct SmokeTarget {
  client::Endpoint endpoint;
  transport::HttpClientOptions http = {};
  std::vector<std::string> secrets = {};  ///< Redacted in errors.
};

/// Requires `server.chosen.is_set()`. The error is for the user.
Result<SmokeTarget> smoke_target(const ServerOptions& server, const ServerSettings& choice) {
  const auto& chosen = server.chosen;
  if (chosen.configured) {
    auto options = gateway::upstream_options(*chosen.configured);
    use_login(options.client.http, *chosen.configured);
    return SmokeTarget{.endpoint = gateway::endpoint_of(*chosen.configured),
                       .http = std::move(options.client.http),
                       .secrets = std::move(options.secrets)};
  }
  if (chosen.url.empty()) return SmokeTarget{.endpoint = choice.child};
  auto http = http_client_options(server.url);
  if (!http) return std::unexpected(std::move(http.error()));
  if (auto options = sign_in_options(chosen, server.url)) use_login(*http, *std::move(options));
  return SmokeTarget{.endpoint = chosen.url, .http = std::move(*http)};
}

Task<void> smoke_test_transport(EventLoop loop, const SmokeTarget& target, SmokePlan plan, TaskScope& tasks,
                                Result<SmokeReport>& report) {
  client::TransportOptions transport_options{.scope = tasks, .http = target.http};
  auto opened = co_await client::open_transport(loop, target.endpoint, std::move(transport_options));
  if (opened) {
    report = co_await run_smoke_test(loop, *opened->near_end, std::move(plan));
    if (opened->child) co_await opened->child->shutdown();
    opened->near_end->close();
  } else {
    report = std::unexpected(std::move(opened.error()));
  }
  tasks.cancel();
}

Task<int> smoke_test(EventLoop loop, const SmokeTarget& target, SmokePlan plan, bool json) {
  Result<SmokeReport> report;
  const std::function<Task<void>(TaskScope&)> body = [&](TaskScope& tasks) {
    return smoke_test_transport(loop, target, plan, tasks, report);
  };
  co_await with_scope(loop.log, "smoke", body);
  if (report) co_return print_smoke_report(*report, json);
  co_return report_error("smoke", gateway::redacted(target.secrets, report.error()).message, exit_code::unreachable);
}

Result<void> read_arguments(const std::string& text, SmokePlan& plan) {
  if (text.empty()) return {};
  const auto parsed = json::Payload::parse(text);
  if (!parsed) return fail(ErrorKind::invalid, "--args: " + parsed.error().message);
  plan.arguments = std::string(parsed->text());
  return {};
}

int smoke_usage_error(const Error& why) {
  return report_error("smoke", why.message, exit_code::usage);
}

struct SmokeOptions {
  ServerOptions server = {};
  SmokePlan plan = {};
  std::string arguments = {};
};

int run_smoke(SmokeOptions flags) {
  const auto choice = resolve_server_settings(flags.server);
  if (!choice) return smoke_usage_error(choice.error());
  const auto target = smoke_target(flags.server, *choice);
  if (!target) return smoke_usage_error(target.error());
  if (const auto read = read_arguments(flags.arguments, flags.plan); !read) return smoke_usage_error(read.error());
  flags.plan.timeout = choice->timeout;
  ProgramLog log(choice->debug, LogLevel::warning);
  for (const auto& secret : target->secrets) log.redactor().add_secret(secret);
  return run_loop(log,
                  [&](EventLoop loop) { return smoke_test(std::move(loop), *target, flags.plan, flags.server.json); });
}

}  // namespace

RunCommand declare_smoke(Options& options) {
  auto flags = std::make_shared<SmokeOptions>();
  options.describe("smoke [options] <name> | <url> | -- <server command...>",
                   "Sends initialize, tools/list and tools/call to a server and expects exactly three responses.",
                   smoke_examples);
  options.text("--tool", flags->plan.tool, "the tool to call (default: one without required arguments)", "<name>");
  options.text("--args", flags->arguments, "its arguments as JSON (default: generated from its schema)", "<json>");
  options.text("--revision", flags->plan.revision, "the MCP revision to request (default: the newest with a handshake)",
               "<revision>");
  add_server_options(options, flags->server);
  add_server_argument(options, flags->server.chosen, false);
  return [flags] { return run_smoke(*flags); };
}

}  // namespace fairlead::cli
