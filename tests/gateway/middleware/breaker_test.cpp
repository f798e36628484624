#include <fairlead/gateway/breaker.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_breaker_test {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::StartsWith;

struct BreakerTest : ManualClockTest {
  std::shared_ptr<Service> service = step("breaker", {{"", "3"}, {"open", "10s"}}).then(server);
  const Error closed{.kind = ErrorKind::closed, .message = "gone"};

  void trip() {
    fail_with(closed);
    for (int i = 0; i < 3; ++i) text(service, tool_call("t"));
    server.calls.clear();
  }
  std::string log_messages() {
    std::string all;
    for (const auto& line : log.lines()) all += line.message + "\n";
    return all;
  }
};

TEST_F(BreakerTest, OpensAfterConsecutiveFailures) {
  trip();
  EXPECT_THAT(text(service, tool_call("t")),
              HasSubstr("the server 'echo' failed 3 times in a row; no calls for another 10.0 s"));
  EXPECT_EQ(server.calls.size(), 0U);
  EXPECT_THAT(log_messages(), HasSubstr("circuit.opened: the server 'echo': 3 consecutive failures, the last: gone"));
}

TEST_F(BreakerTest, RefusalSaysWhenToRetry) {
  trip();
  pass(seconds{4});
  const auto answer = start(service, tool_call("t"));
  EXPECT_EQ((*answer)->error().data,
            R"({"source":"gateway","reason":"breaker open","outcome":"not made","retryAfterMs":6000})");
}

TEST_F(BreakerTest, ClosesAfterASuccessfulProbe) {
  trip();
  pass(seconds{11});
  server.on_call = nullptr;
  EXPECT_THAT(text(service, tool_call("t")), StartsWith("{"));
  EXPECT_THAT(text(service, tool_call("t")), StartsWith("{"));
  EXPECT_THAT(log_messages(), HasSubstr("circuit.half_open"));
  EXPECT_THAT(log_messages(), HasSubstr("circuit.closed"));
}

TEST_F(BreakerTest, OpensAgainAfterAFailedProbe) {
  trip();
  pass(seconds{11});
  EXPECT_EQ(text(service, tool_call("t")), "!gone");
  EXPECT_THAT(text(service, tool_call("t")), HasSubstr("no calls for another"));
  EXPECT_EQ(server.calls.size(), 1U);
}

TEST_F(BreakerTest, SendsOneProbeAtATime) {
  trip();
  pass(seconds{11});
  server.on_call = [this](Call&) { return never(); };
  const auto first = start(service, tool_call("t"));
  EXPECT_EQ(shown(first), "…");
  EXPECT_THAT(text(service, tool_call("t")), HasSubstr("no calls for another"));
}

TEST_F(BreakerTest, ErrorsOfTheServerDoNotCountAsFailures) {
  fail_with({.kind = ErrorKind::refused, .message = "no", .code = -32602});
  for (int i = 0; i < 9; ++i) EXPECT_EQ(text(service, tool_call("t")), "!no");
  server.on_call = [](Call&) { return answering(R"({"content":[],"isError":true})"); };
  for (int i = 0; i < 9; ++i) EXPECT_THAT(text(service, tool_call("t")), StartsWith("{"));
  EXPECT_EQ(server.calls.size(), 18U);
}

TEST_F(BreakerTest, ASuccessResetsTheFailureCount) {
  for (int i = 0; i < 5; ++i) {
    fail_with(closed);
    text(service, tool_call("t"));
    text(service, tool_call("t"));
    server.on_call = nullptr;
    EXPECT_THAT(text(service, tool_call("t")), StartsWith("{"));
  }
}

TEST_F(BreakerTest, ListsPassAnOpenBreaker) {
  trip();
  server.on_call = nullptr;
  EXPECT_EQ(text(service, call_of("tools/list")), "{}");
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_breaker_test
