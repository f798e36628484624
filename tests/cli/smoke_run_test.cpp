#include "cli/smoke_run.hpp"

#include <fairlead/transport/memory.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <utility>

#include "support/test_loop.hpp"

namespace fairlead::cli::smoke_run_test {
namespace {

using testing::HasSubstr;

constexpr auto hello = R"({"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}})";
constexpr auto one_tool = R"({"tools":[{"name":"t","inputSchema":{"type":"object"}}]})";
constexpr auto done = R"({"content":[{"type":"text","text":"hi"}]})";

/// The results of a server by method, and messages that it sends before each response.
struct Script {
  std::map<std::string, std::string> results = {{"initialize", hello}, {"tools/list", one_tool}, {"tools/call", done}};
  std::vector<jsonrpc::Message> before_each = {};
  std::vector<std::string> requests = {};
};

Task<Result<void>> serve(transport::Transport& end, Script& script) {
  while (true) {
    auto received = co_await end.receive();
    if (!received) co_return std::unexpected(received.error());
    auto* request = std::get_if<jsonrpc::Request>(&std::get<jsonrpc::Message>(*received));
    if (request == nullptr) continue;
    script.requests.push_back(request->method + " " + std::string(request->params.text()));
    for (const auto& message : script.before_each) {
      transport::Outgoing stray{message};
      co_await end.send(std::move(stray));
    }
    const auto result = script.results.find(request->method);
    if (result == script.results.end()) continue;
    jsonrpc::Response response{.id = request->id, .result = json::Payload::trusted(result->second)};
    if (result->second.starts_with("error")) {
      jsonrpc::ErrorResponse refusal{.id = request->id, .error = {.code = -32000, .message = "no"}};
      transport::Outgoing outgoing{std::move(refusal)};
      co_await end.send(std::move(outgoing));
      continue;
    }
    transport::Outgoing outgoing{std::move(response)};
    co_await end.send(std::move(outgoing));
  }
}

class SmokeTest : public testing::Test {
 protected:
  SmokeReport smoke(SmokePlan plan = {}) {
    auto [near, far] = transport::memory_pair(loop_.loop());
    const auto server = loop_.start(serve(*far, script_));
    auto report = loop_.run(run_smoke_test(loop_.loop(), *near, std::move(plan)));
    near->close();
    far->close();
    EXPECT_FALSE(loop_.finish(server));
    return report;
  }

  test::TestLoop loop_;
  Script script_;
};

TEST_F(SmokeTest, S0_30_ThreeRequestsYieldExactlyThreeResponses) {
  const auto report = smoke();
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.responses, 3);
  ASSERT_EQ(script_.requests.size(), 3U);
  EXPECT_THAT(script_.requests[0], HasSubstr("initialize"));
  EXPECT_EQ(script_.requests[1], "tools/list {}");
  EXPECT_EQ(script_.requests[2], R"(tools/call {"name":"t","arguments":{}})");
}

TEST_F(SmokeTest, S0_30_FailsOnAFourthResponse) {
  script_.before_each.emplace_back(jsonrpc::Response{.id = 99, .result = json::Payload::trusted("{}")});
  const auto report = smoke();
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.responses, 6);
  EXPECT_THAT(report.problems.at(0), HasSubstr("99"));
}

TEST_F(SmokeTest, DoesNotCountNotificationsAsResponses) {
  script_.before_each.emplace_back(jsonrpc::Notification{.method = "notifications/message"});
  EXPECT_TRUE(smoke().ok());
}

TEST_F(SmokeTest, AnswersServerRequestsWithAnError) {
  script_.before_each.emplace_back(jsonrpc::Request{.id = "q", .method = "roots/list"});
  EXPECT_TRUE(smoke().ok());
}

TEST_F(SmokeTest, StopsAtTheFirstErrorAndReportsIt) {
  script_.results["tools/list"] = "error";
  const auto report = smoke();
  EXPECT_FALSE(report.ok());
  ASSERT_EQ(report.steps.size(), 2U);
  EXPECT_THAT(report.steps.back().detail, HasSubstr("error -32000: no"));
}

TEST_F(SmokeTest, TimesOutWhenTheServerIsSilent) {
  script_.results.erase("initialize");
  const auto report = smoke({.timeout = std::chrono::milliseconds{20}});
  EXPECT_FALSE(report.ok() || report.reached);
  EXPECT_THAT(report.steps.back().detail, HasSubstr("--timeout"));
}

TEST_F(SmokeTest, FailsOnAMalformedResult) {
  script_.results["initialize"] = R"({"protocolVersion":7})";
  EXPECT_THAT(smoke().steps.back().detail, HasSubstr("protocolVersion"));
}

TEST_F(SmokeTest, FailsWhenTheServerHasNoTools) {
  script_.results["tools/list"] = R"({"tools":[]})";
  EXPECT_THAT(smoke().steps.back().detail, HasSubstr("no tools"));
}

TEST_F(SmokeTest, AcceptsAnErrorForGeneratedArguments) {
  script_.results["tools/call"] = "error";
  EXPECT_TRUE(smoke().ok());
  EXPECT_FALSE(smoke({.tool = "t"}).ok());
}

TEST_F(SmokeTest, RefusesToCallAToolThatIsNotListed) {
  const auto report = smoke({.tool = "other"});
  EXPECT_EQ(report.responses, 2);
  EXPECT_THAT(report.steps.back().detail, HasSubstr("'other'"));
}

}  // namespace
}  // namespace fairlead::cli::smoke_run_test
