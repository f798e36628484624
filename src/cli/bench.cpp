#include <algorithm>
#include <atomic>
#include <csignal>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "base/nearest.hpp"
#include "cli/bench_report.hpp"
#include "cli/bench_words.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"
#include "cli/typed_arguments.hpp"
#include "load/process_usage.hpp"

namespace fairlead::cli {
namespace {

constexpr auto bench_examples = R"(  fairlead bench http://127.0.0.1:8080/mcp
  fairlead bench --connections 1,256 --seconds 5 --stateless http://127.0.0.1:8080/mcp
  fairlead bench --tool search query=cats limit=5 http://127.0.0.1:8080/mcp
  fairlead bench --tool progress steps=10 --progress 10 http://127.0.0.1:8080/mcp
  fairlead bench --in-flight 64 -- ./my-server
  fairlead bench http://127.0.0.1:8080/mcp --against http://127.0.0.1:9000/mcp
  fairlead bench --idle 1000 http://127.0.0.1:8080/mcp)";

std::atomic<bool> bench_stopped = false;

void stop_bench(int) {
  bench_stopped = true;
}

int bench_failed(const Error& error, int code) {
  complain("fairlead bench: " + for_terminal(error.message));
  return code;
}

int bench_refused(std::string_view why) {
  complain(fmt::format("fairlead bench: {}; see fairlead bench --help", why));
  return exit_code::usage;
}

/// The tool's schema, once the server has shown that it has the tool.
Result<json::Payload> schema_at(client::Client& client, const std::string& tool) {
  const auto tools = client.tools();
  const auto found = std::ranges::find(tools, tool, &protocol::Tool::name);
  if (found != tools.end()) return found->inputSchema;
  std::vector<std::string> names;
  for (const auto& each : tools) names.push_back(each.name);
  const auto near = nearest(tool, names);
  return fail(ErrorKind::invalid,
              fmt::format("the server has no tool '{}'{}", tool,
                          near ? fmt::format("; did you mean '{}'?", *near) : std::string("; --tool names another")));
}

Result<json::Payload> ask_for_schema(const load::Target& target, const std::string& url, const BenchWords& words) {
  auto http = choose_http(words.url);
  if (!http) return std::unexpected(std::move(http.error()));
  client::ClientOptions options;
  options.era = words.stateless ? client::Era::stateless : client::Era::handshake;
  options.http = std::move(*http);
  options.reconnect = false;
  transport::ChildOptions child{.command = target.command};
  child.on_stderr = [](std::string_view line) { complain(line); };
  try {
    client::Client client(url.empty() ? client::Endpoint(child) : client::Endpoint(url), std::move(options));
    return schema_at(client, words.tool);
  } catch (const client::Failure& failure) {
    return std::unexpected(failure.error());
  }
}

/// The default call for echo without arguments; else what the words say.
Result<void> set_arguments(load::Call& call, const std::vector<std::string>& words, const json::Payload& schema) {
  if (call.tool == "echo" && words.empty()) return {};
  auto arguments = typed_arguments(words, schema);
  if (!arguments) return std::unexpected(std::move(arguments.error()));
  call.arguments = std::move(*arguments);
  call.echoes = false;
  return {};
}

Result<load::Target> bench_target(const std::string& url, const BenchWords& words) {
  auto http = choose_http(words.url);
  if (!http) return std::unexpected(std::move(http.error()));
  if (!words.url.bearer.empty()) http->headers.push_back({"Authorization", "Bearer " + words.url.bearer});
  return load::target_at(url, std::move(http->headers), http->http.tls);
}

class Bench {
 public:
  Bench(BenchWords words, BenchChoice choice) : words_(std::move(words)), choice_(std::move(choice)) {}

  int run(const std::string& url, const std::vector<std::string>& command) {
    auto target = command.empty() ? bench_target(url, words_) : load::Target{.command = command};
    if (!target) return bench_refused(target.error().message);
    choice_.plan.target = std::move(*target);
    const bool calls = choice_.idle == 0 && choice_.starts == 0;
    if (const auto wrong = calls ? settle_arguments(url) : std::nullopt) return *wrong;
    // From here on there may be something to tell of.
    std::signal(SIGINT, stop_bench);
    std::signal(SIGTERM, stop_bench);
    if (choice_.idle > 0) return idle();
    if (choice_.starts > 0) return starts();
    BenchDocument document{
        .server = command.empty() ? choice_.plan.target.url->shown() : fmt::format("{}", fmt::join(command, " ")),
        .tool = words_.tool,
        .stateless = words_.stateless};
    return measure(document);
  }

 private:
  std::optional<int> settle_arguments(const std::string& url) {
    json::Payload schema;
    if (!words_.unchecked) {
      auto asked = ask_for_schema(choice_.plan.target, url, words_);
      if (!asked && asked.error().kind == ErrorKind::invalid) return bench_refused(asked.error().message);
      if (!asked) return bench_failed(asked.error(), exit_code::unreachable);
      schema = std::move(*asked);
    }
    const auto set = set_arguments(choice_.plan.style.call, words_.arguments, schema);
    return set ? std::nullopt : std::optional(bench_refused(set.error().message));
  }

  int measure(BenchDocument& document) {
    auto plan = choice_.plan;
    auto other = plan;
    if (!words_.against.empty()) {
      auto target = bench_target(words_.against, words_);
      if (!target) return bench_refused("--against: " + target.error().message);
      other.target = std::move(*target);
      other.server.reset();
      document.against = other.target.url->shown();
      document.against_runs.emplace();
      document.comparison.emplace();
    }
    // A command has one pair of pipes.
    if (!plan.target.command.empty()) choice_.connections = {1};
    for (const auto connections : choice_.connections) {
      if (bench_stopped) break;
      plan.connections = other.connections = connections;
      auto done = measure_once(plan, document.runs);
      if (done && document.against) done = measure_once(other, *document.against_runs);
      if (!done && bench_stopped) break;
      if (!done) return bench_failed(done.error(), exit_code::unreachable);
      if (!document.against) continue;
      document.comparison->push_back(compared(document.runs.back(), document.against_runs->back()));
    }
    return conclude(document);
  }

  static Result<void> measure_once(load::Plan& plan, std::vector<load::Report>& reports) {
    if (plan.target.url && !plan.server) plan.server = load::listener_on(plan.target.url->port);
    auto report = load::run(plan, bench_stopped);
    if (!report) return std::unexpected(std::move(report.error()));
    reports.push_back(std::move(*report));
    return {};
  }

  int conclude(const BenchDocument& document) const {
    int code = print(words_.json ? json::encode(document) + "\n" : show_bench(document));
    for (const auto& run : document.runs) {
      if (run.failures + run.stuck == 0) continue;
      complain(fmt::format("fairlead bench: with {} connections {} calls failed and {} went unanswered: {}",
                           run.connections, run.failures, run.stuck,
                           for_terminal(run.first_failure.value_or("no answer"))));
      code = exit_code::failed;
    }
    return bench_stopped ? exit_code::failed : code;
  }

  int idle() {
    if (!choice_.plan.target.url) return bench_refused("--idle needs a server at a URL");
    auto server = choice_.plan.server;
    if (!server) server = load::listener_on(choice_.plan.target.url->port);
    const auto report =
        load::hold_idle_streams(choice_.plan.target, choice_.idle, choice_.hold_seconds, server, bench_stopped);
    if (!report) return bench_failed(report.error(), exit_code::unreachable);
    return print(words_.json ? json::encode(*report) + "\n" : show_idle(*report));
  }

  int starts() {
    if (choice_.plan.target.command.empty()) return bench_refused("--starts needs a command behind --");
    const auto report = load::time_starts(choice_.plan.target, choice_.starts, bench_stopped);
    if (!report) return bench_failed(report.error(), exit_code::unreachable);
    return print(words_.json ? json::encode(*report) + "\n" : show_starts(*report));
  }

  BenchWords words_;
  BenchChoice choice_;
};

}  // namespace

int run_bench(const Words& given) {
  Options options("bench [name=value...] [options] <url> | -- <server command...>",
                  "Calls a tool as often as the server answers, and tells how often that is and how long it takes.",
                  bench_examples);
  BenchWords words;
  add_bench_options(options, words);
  auto left = given;
  const auto url = take_url(left);
  if (const auto done = options.parse(left.own)) return *done;
  if (url.empty() && left.child.empty()) {
    return bench_refused("which server? Give its URL, or put its command behind --, as in: -- ./server");
  }
  auto choice = choose_bench(words);
  if (!choice) return bench_refused(choice.error().message);
  return Bench(std::move(words), std::move(*choice)).run(url, left.child);
}

}  // namespace fairlead::cli
