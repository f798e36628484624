#include <fairlead/base/task_scope.hpp>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <utility>

#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_options.hpp"
#include "cli/smoke_run.hpp"
#include "client/line.hpp"

namespace fairlead::cli {
namespace {

constexpr auto smoke_examples = R"(  fairlead smoke -- ./server
  fairlead smoke --tool echo --args '{"text":"hi"}' -- ./server
  fairlead smoke --framing content-length -- ./server
  fairlead smoke https://example.com/mcp)";

std::string for_people(const SmokeReport& report) {
  std::string text;
  for (const auto& step : report.steps) {
    text += fmt::format("{:<5} {:<11} {}\n", step.ok ? "ok" : "FAIL", step.method, step.detail);
  }
  for (const auto& problem : report.problems) text += fmt::format("FAIL  {}\n", problem);
  return text + fmt::format("{} requests, {} responses: {}\n", report.steps.size(), report.responses,
                            report.ok() ? "the server works" : "the server does not work");
}

std::string for_programs(const SmokeReport& report) {
  struct Document {
    bool ok;
    int responses;
    std::vector<SmokeStep> steps;
    std::vector<std::string> problems;
  };
  return json::encode(Document{report.ok(), report.responses, report.steps, report.problems}) + "\n";
}

int told(const SmokeReport& report, bool json) {
  const int printed = print(json ? for_programs(report) : for_people(report));
  if (!report.reached) return exit_code::unreachable;
  return report.ok() ? printed : exit_code::failed;
}

Task<int> smoke(Loop loop, transport::ChildOptions child, SmokePlan plan, bool json) {
  auto server = transport::ChildTransport::start(loop, std::move(child));
  if (!server) {
    complain("fairlead smoke: " + server.error().message);
    co_return exit_code::unreachable;
  }
  const auto report = co_await run_smoke_test(loop, **server, std::move(plan));
  co_await (*server)->shutdown();
  co_return told(report, json);
}

/// A server at an address.
struct Remote {
  std::string url;
  transport::HttpClientOptions http;
};

Task<void> smoke_remote(Loop loop, const Remote& remote, SmokePlan plan, TaskScope& tasks, SmokeReport& report,
                        std::string& trouble) {
  client::LineOptions line_options{.scope = tasks, .http = remote.http};
  auto line = co_await client::open_line(loop, client::Endpoint(remote.url), std::move(line_options));
  if (line) {
    report = co_await run_smoke_test(loop, *line->transport, std::move(plan));
    line->transport->close();
  } else {
    trouble = line.error().message;
  }
  tasks.cancel();
}

Task<int> smoke_at(Loop loop, Remote remote, SmokePlan plan, bool json) {
  SmokeReport report;
  std::string trouble;
  const std::function<Task<void>(TaskScope&)> body = [&](TaskScope& tasks) {
    return smoke_remote(loop, remote, plan, tasks, report, trouble);
  };
  co_await with_scope(loop.log, "smoke", body);
  if (trouble.empty()) co_return told(report, json);
  complain("fairlead smoke: " + trouble);
  co_return exit_code::unreachable;
}

}  // namespace

int run_smoke(const Words& words) {
  Options options("smoke [options] <url> | -- <server command...>",
                  "Starts a server, or takes one at a URL, sends initialize, tools/list and tools/call, and expects "
                  "three responses.",
                  smoke_examples);
  ServerOptions server;
  SmokePlan plan;
  std::string arguments;
  options.text("--tool", plan.tool, "which tool to call; otherwise one that needs no arguments", "<name>");
  options.text("--args", arguments, "its arguments, as JSON; otherwise they are made up", "<json>");
  options.text("--revision", plan.revision, "which revision to ask for; otherwise the newest with a handshake",
               "<revision>");
  UrlOptions at;
  add_server_options(options, server);
  add_url_options(options, at);
  auto rest = words;
  const auto url = take_url(rest);
  if (const auto done = options.parse(rest.own)) return *done;
  auto choice = choose_server(server, rest, !url.empty());
  auto http = choose_http(at);
  if (choice && !http) choice = std::unexpected(http.error());
  if (choice && !arguments.empty()) {
    auto parsed = json::Payload::parse(arguments);
    if (parsed) plan.arguments = std::string(parsed->text());
    if (!parsed) choice = fail(ErrorKind::invalid, "--args: " + parsed.error().message);
  }
  if (!choice) {
    complain("fairlead smoke: " + choice.error().message);
    return exit_code::usage;
  }
  plan.patience = choice->patience;
  ProgramLog log(choice->debug, LogLevel::warning);
  if (!url.empty()) {
    return run_loop(log, [&](Loop loop) { return smoke_at(std::move(loop), Remote{url, *http}, plan, server.json); });
  }
  return run_loop(log, [&](Loop loop) { return smoke(std::move(loop), choice->child, plan, server.json); });
}

}  // namespace fairlead::cli
