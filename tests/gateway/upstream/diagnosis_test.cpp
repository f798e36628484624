#include <fairlead/base/diagnosis.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "client/scripted_server.hpp"
#include "gateway/control/server_reports.hpp"
#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/manual_loop.hpp"

/// Diagnosis of failing servers, for callers and operators.
namespace fairlead::gateway::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ServerConfig command(std::string name, std::vector<std::string> words) {
  ServerConfig server{.name = std::move(name)};
  server.command = std::move(words);
  return server;
}

std::string log_text(const CapturingSink& log, LogLevel least) {
  std::string text;
  for (const auto& line : log.lines()) {
    if (line.level >= least) text += line.component + ": " + line.message + "\n";
  }
  return text;
}

TEST(GatewayDiagnosis, Finding_D1_ReportsTheOutputOfAServerThatFailsToStart) {
  GatewayRig rig(command("broken", {"sh", "-c", "echo 'FATAL: GITHUB_TOKEN is not set' >&2; exit 1"}));
  for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
    const auto error = failure_of([&] { rig.client("/s/broken/mcp", revision).call("anything"); });
    EXPECT_THAT(error.message, AllOf(HasSubstr("'broken' cannot be reached"), HasSubstr("exited with status 1"),
                                     HasSubstr("FATAL: GITHUB_TOKEN is not set")));
    EXPECT_THAT(error.data,
                AllOf(HasSubstr(R"("diagnosis":{)"), HasSubstr(R"("status":1)"),
                      HasSubstr(R"("stderr":["FATAL: GITHUB_TOKEN is not set"])"), Not(HasSubstr(R"("command")"))));
  }
  EXPECT_THAT(log_text(rig.log(), LogLevel::warning), HasSubstr("stderr: FATAL: GITHUB_TOKEN is not set"));
  const auto state = rig.state("broken");
  ASSERT_TRUE(state.diagnosis);
  EXPECT_THAT(state.diagnosis->stderr_, ElementsAre("FATAL: GITHUB_TOKEN is not set"));
}

TEST(GatewayDiagnosis, Finding_D1_RedactsSecretsInTheDiagnosis) {
  auto server = command("broken", {"sh", "-c", "echo bad setting $SETTING >&2; exit 1"});
  server.env["SETTING"] = "abc123def456ghi";
  GatewayRig rig(server);
  const auto error = failure_of([&] { rig.client("/s/broken/mcp").call("anything"); });
  EXPECT_THAT(error.message, HasSubstr("bad setting [redacted]"));
  EXPECT_THAT(error.data, Not(HasSubstr("abc123def456ghi")));
  EXPECT_THAT(rig.state("broken").diagnosis->stderr_, ElementsAre("bad setting [redacted]"));
}

TEST(GatewayDiagnosis, Finding_D3_LogsExitStatusAndCallsInFlight) {
  GatewayRig rig(child("server"));
  auto client = rig.client();
  failure_of([&] { client.call("die"); });
  EXPECT_THAT(log_text(rig.log(), LogLevel::warning),
              HasSubstr("server: the server exited with status 7; calls in flight: tools/call 'die'"));
  EXPECT_EQ(rig.state("server").last_error, "the server exited with status 7");
}

TEST(GatewayDiagnosis, Finding_D3_LogsAServerThatIsKilledWhileIdle) {
  GatewayRig rig(child("server"));
  auto client = rig.client();
  ::kill(static_cast<pid_t>(client.call<std::int64_t>("pid")), SIGKILL);
  ASSERT_TRUE(eventually([&] { return rig.state("server").state == "gone"; }));
  const auto report =
      rig.on_loop([&] { return server_reports(rig.gateway().status(), rig.gateway().call_metrics()).at(0); });
  EXPECT_EQ(report.lastError, "the server was killed by signal 9 (SIGKILL)");
  ASSERT_TRUE(report.diagnosis);
  EXPECT_EQ(report.diagnosis->signal, 9);
  EXPECT_THAT(log_text(rig.log(), LogLevel::warning),
              HasSubstr("server: the server was killed by signal 9 (SIGKILL); no calls in flight"));
}

TEST(GatewayDiagnosis, Finding_D3_DoesNotLogAStoppedServerAsLost) {
  auto server = child("server");
  server.idle_stop = 50ms;
  GatewayRig rig(server);
  auto client = rig.client();
  client.call<std::int64_t>("pid");
  ASSERT_TRUE(eventually([] { return children().empty(); }));
  rig.stop();
  EXPECT_EQ(log_text(rig.log(), LogLevel::warning), "");
}

TEST(GatewayDiagnosis, Finding_D1_ShowsOutputDuringCallsToTheOperatorOnly) {
  const auto words = client::scripted_server(R"(if method == 'initialize': initialized()
elif method == 'tools/list': result({'tools': [{'name': 'die', 'inputSchema': {'type': 'object'}}]})
elif method == 'tools/call':
    print('query of alice', file=sys.stderr, flush=True)
    os._exit(3)
elif 'id' in m: error(-32601, 'no'))");
  GatewayRig rig(command("chatty", words));
  auto client = rig.client();
  const auto error = failure_of([&] { client.call("die"); });
  EXPECT_THAT(error.message, HasSubstr("(the server exited with status 3)"));
  EXPECT_THAT(error.message + error.data, Not(HasSubstr("alice")));
  EXPECT_THAT(rig.state("chatty").last_error, Not(HasSubstr("alice")));
  EXPECT_THAT(rig.state("chatty").diagnosis->stderr_, ElementsAre("query of alice"));
}

TEST(GatewayDiagnosis, Finding_D4_NamesAServerThatPrintsToStdout) {
  const auto words = client::scripted_server(R"(if method == 'initialize': initialized()
elif method == 'tools/list':
    print('booting...', flush=True)
    result({'tools': []})
elif 'id' in m: error(-32601, 'no'))");
  GatewayRig rig(command("loud", words));
  EXPECT_TRUE(rig.client().tools().empty());
  const auto log = log_text(rig.log(), LogLevel::warning);
  EXPECT_THAT(log, HasSubstr(R"(server loud printed "booting..." on stdout, which is not MCP; print to stderr)"));
  EXPECT_THAT(log, Not(HasSubstr("-32700")));
}

TEST(GatewayDiagnosis, Finding_D8_DoesNotWarnAboutRootsBeforeTheFirstClient) {
  const auto file = std::filesystem::temp_directory_path() / ("fairlead-roots-" + std::to_string(::getpid()) + ".json");
  std::filesystem::remove(file);
  auto words = client::scripted_server(R"(if method == 'initialize': initialized()
elif method == 'notifications/initialized': send({'id': 'r', 'method': 'roots/list'})
elif m.get('id') == 'r':
    open(sys.argv[1] + '.part', 'w').write(json.dumps(m.get('result')))
    os.rename(sys.argv[1] + '.part', sys.argv[1])
elif 'id' in m: error(-32601, 'no'))");
  words.push_back(file);
  GatewayRig rig(command("eager", words));
  rig.run([](Gateway& gateway) -> Task<void> { co_await gateway.connect_all(); }(rig.gateway()));
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(file); }));
  std::ifstream stream(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), R"({"roots": []})");
  std::filesystem::remove(file);
  EXPECT_EQ(log_text(rig.log(), LogLevel::warning), "");
}

TEST(GatewayDiagnosis, Finding_D8_WaitingCallsShareAFailedStart) {
  ManualLoop manual;
  AsyncEvent turn(manual.io().get_executor());
  std::size_t starts = 0;
  const client::Endpoint::Opener open = [&](EventLoop) -> Task<Result<std::unique_ptr<transport::Transport>>> {
    ++starts;
    co_await turn.wait();
    co_return fail(ErrorKind::closed, "the server is down");
  };
  UpstreamOptions options{.name = "far"};
  options.client.revision = "2025-11-25";
  Upstream upstream(manual.loop(), open, options);
  const auto first = manual.start(upstream.describe());
  const auto second = manual.start(upstream.describe());
  const auto third = manual.start(upstream.describe());
  turn.notify();
  manual.poll();
  for (const auto& each : {first, second, third}) {
    ASSERT_TRUE(each->value);
    EXPECT_THAT(each->value->error().message, HasSubstr("the server is down"));
  }
  EXPECT_EQ(starts, 1U);
  manual.run(upstream.stop());
}

}  // namespace
}  // namespace fairlead::gateway::test
