#include "gateway/control/control_server.hpp"

#include "gateway/control/server_reports.hpp"
#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/model/config_secrets.hpp"

namespace fairlead::gateway::control_server_test {
namespace {

using session::Call;
using test::tool_call;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A client channel that records notifications.
struct LogRecordingChannel final : session::PeerChannel {
  Task<Result<session::Reply>> request(std::string, json::Payload) override {
    co_return fail(ErrorKind::refused, "no");
  }
  Task<Result<void>> notify(std::string, json::Payload params) override {
    const auto message = json::decode<protocol::LoggingMessageParams>(params);
    received.push_back(message ? std::string(message->data.text()) : "?");
    co_return Result<void>();
  }
  std::vector<std::string> received;
};

struct ControlServerTest : test::ManualClockTest {
  std::shared_ptr<TapHub> tap = std::make_shared<TapHub>(loop());
  std::vector<ServerReport> servers;
  ControlServer control{loop(), {.servers = [this] { return servers; }, .tap = tap, .listens = {"http://here/mcp"}}};
  LogRecordingChannel client;

  Call of_operator(const std::string& tool, const std::string& arguments = "{}") {
    auto call = tool_call(tool, arguments);
    call.context.revision = protocol::find_revision("2025-11-25");
    call.context.peer = &client;
    return call;
  }
  Answer send_request(Call call) {
    return start(std::shared_ptr<session::Service>(std::shared_ptr<void>(), &control.service()), std::move(call));
  }
  void pass_by(const std::string& tool) {
    TapLine line{.endpoint = "gateway", .kind = LineKind::call};
    line.tool = tool;
    tap->publish(line, false);
    settle();
  }
  static std::string tools_in(const std::vector<std::string>& received) {
    std::string all;
    for (const auto& text : received) {
      const auto line = json::decode<TapLine>(text);
      if (line && line->tool) all += *line->tool + " ";
    }
    return all;
  }
};

TEST_F(ControlServerTest, ReportsTheStatusOfServers) {
  servers.push_back({.name = "git", .state = "ready", .transport = "stdio", .address = "uvx"});
  pass(std::chrono::seconds{90});
  const auto answer = send_request(of_operator("status"));
  EXPECT_THAT(shown(answer), HasSubstr(R"("uptimeSeconds":90)"));
  EXPECT_THAT(shown(answer), HasSubstr(R"("listens":["http://here/mcp"])"));
  EXPECT_THAT(shown(answer), HasSubstr(R"("name":"git","state":"ready")"));
}

TEST_F(ControlServerTest, RedactsTheStatus) {
  tap->redactor().add_secrets({"hunter2-secret"});
  servers.push_back({.name = "git", .address = "https://me:open-sesame@example.com/mcp"});
  servers.back().lastError = "401 for hunter2-secret";
  const auto answer = shown(send_request(of_operator("status")));
  EXPECT_THAT(answer, Not(HasSubstr("open-sesame")));
  EXPECT_THAT(answer, Not(HasSubstr("hunter2")));
  EXPECT_THAT(answer, HasSubstr("401 for [redacted]"));
}

TEST_F(ControlServerTest, EndsATapAfterItsCount) {
  const auto answer = send_request(of_operator("tap", R"({"filters":["-tool:b"],"count":2})"));
  for (const auto* tool : {"a", "b", "c"}) pass_by(tool);
  EXPECT_EQ(tools_in(client.received), "a c ");
  EXPECT_THAT(client.received.front(), HasSubstr(R"({"listening":)"));
  EXPECT_THAT(shown(answer), HasSubstr(R"("lines":2)"));
  EXPECT_FALSE(tap->has_subscribers());
}

TEST_F(ControlServerTest, EndsATapAfterItsTime) {
  const auto answer = send_request(of_operator("tap", R"({"milliseconds":5000})"));
  pass_by("a");
  pass(std::chrono::seconds{4});
  EXPECT_EQ(shown(answer), "…");
  pass(std::chrono::seconds{2});
  EXPECT_THAT(shown(answer), HasSubstr(R"("lines":1)"));
}

TEST_F(ControlServerTest, EndsATapWhenTheClientCancels) {
  send_request(of_operator("tap"));
  EXPECT_TRUE(tap->has_subscribers());
  calls.cancel();
  settle();
  EXPECT_FALSE(tap->has_subscribers());
}

TEST_F(ControlServerTest, ReportsFilterErrors) {
  const auto answer = send_request(of_operator("tap", R"({"filters":["tol:x"]})"));
  EXPECT_THAT(shown(answer), HasSubstr("did you mean 'tool:'"));
}

TEST(ServerReports, CombineTheInstancesOfAServer) {
  ServerStatus status{.name = "git", .address = "uvx", .transport = "stdio", .restarts = 2};
  status.states = {{.state = "ready", .pid = 11, .revision = "2025-11-25", .in_flight = 1},
                   {.state = "gone", .in_flight = 2, .last_error = "it has gone"}};
  const auto report = server_report(status, {.calls = 4, .errors = 1, .p50_ms = 2, .p99_ms = 9, .last_error = "no"});
  EXPECT_EQ(report.state, "gone");
  EXPECT_THAT(report.pids, ElementsAre(11));
  EXPECT_EQ(report.era, "handshake");
  EXPECT_EQ(report.inFlight, 3U);
  EXPECT_EQ(report.restarts, 2U);
  EXPECT_EQ(report.p99Ms, 9);
  EXPECT_EQ(report.lastError, "it has gone");
}

TEST(ServerReports, ReportTheLastErrorOfAWorkingServer) {
  ServerStatus status{.name = "git", .address = "uvx", .transport = "stdio", .restarts = 0};
  status.states = {{.state = "ready", .last_error = "it has gone"}};
  EXPECT_EQ(server_report(status, {.calls = 1, .errors = 1, .last_error = "no"}).lastError, "no");
  EXPECT_EQ(server_report(status, {}).lastError, "it has gone");
  EXPECT_FALSE(server_report(status, {}).p50Ms) << "without calls";
}

TEST(KnownSecrets, IncludeValuesOfServersAndSteps) {
  GatewayConfig config;
  ServerConfig server{.name = "git"};
  server.env["ANYTHING"] = "in-the-environment";
  server.headers["Authorization"] = "Bearer in-a-header";
  server.chain = {{.name = "headers", .arguments = {{"X-Team-Pass", "in-a-step"}}}};
  config.servers = {server};
  config.chain = {{.name = "auth", .arguments = {{"token", "in-the-chain"}, {"realm", "innocent"}}}};
  ::setenv("OLDPWD", "where-we-were", 1);
  ::setenv("SOME_TOKEN", "inherited-secret", 1);
  const auto secrets = known_secrets(config);
  for (const auto* secret : {"in-the-environment", "in-a-header", "in-a-step", "in-the-chain", "inherited-secret"}) {
    EXPECT_THAT(secrets, testing::Contains(secret));
  }
  EXPECT_THAT(secrets, Not(testing::Contains("innocent")));
  EXPECT_THAT(secrets, Not(testing::Contains("where-we-were")));
}

}  // namespace
}  // namespace fairlead::gateway::control_server_test
