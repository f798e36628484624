#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <utility>

#include "cli/output.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_options.hpp"
#include "cli/smoke_run.hpp"

namespace fairlead::cli {
namespace {

constexpr auto smoke_examples = R"(  fairlead smoke -- ./server
  fairlead smoke --tool echo --args '{"text":"hi"}' -- ./server
  fairlead smoke --framing content-length -- ./server)";

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

Task<int> smoke(Loop loop, transport::ChildOptions child, SmokePlan plan, bool json) {
  auto server = transport::ChildTransport::start(loop, std::move(child));
  if (!server) {
    complain("fairlead smoke: " + server.error().message);
    co_return exit_code::unreachable;
  }
  const auto report = co_await run_smoke_test(loop, **server, std::move(plan));
  co_await (*server)->shutdown();
  const int printed = print(json ? for_programs(report) : for_people(report));
  if (!report.reached) co_return exit_code::unreachable;
  co_return report.ok() ? printed : exit_code::failed;
}

}  // namespace

int run_smoke(const Words& words) {
  Options options("smoke [options] -- <server command...>",
                  "Starts a server, sends initialize, tools/list and tools/call, and expects three responses.",
                  smoke_examples);
  ServerOptions server;
  SmokePlan plan;
  std::string arguments;
  options.text("--tool", plan.tool, "which tool to call; otherwise one that needs no arguments", "<name>");
  options.text("--args", arguments, "its arguments, as JSON; otherwise they are made up", "<json>");
  options.text("--revision", plan.revision, "which revision to ask for; otherwise the newest with a handshake",
               "<revision>");
  add_server_options(options, server);
  if (const auto done = options.parse(words.own)) return *done;
  auto choice = choose_server(server, words);
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
  return run_loop(log, [&](Loop loop) { return smoke(std::move(loop), choice->child, plan, server.json); });
}

}  // namespace fairlead::cli
