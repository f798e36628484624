#include <fairlead/gateway/fault.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_fault_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct FaultTest : ManualClockTest {
  /// Outcomes of a hundred calls, one letter each.
  std::string outcomes(const ArgumentList& arguments) {
    const auto service = step("fault", arguments).then(server);
    std::string all;
    for (int i = 0; i < 100; ++i) {
      const auto answer = start(service, tool_call("t"));
      all += !*answer ? 'd' : **answer ? '.' : (*answer)->error().kind == ErrorKind::closed ? 'e' : 't';
    }
    return all;
  }
};

TEST_F(FaultTest, TheSameSeedMakesTheSameFaults) {
  const auto some = outcomes({{"drop", "10%"}, {"error", "0.2"}, {"truncate", "10%"}, {"seed", "7"}});
  EXPECT_EQ(some, outcomes({{"drop", "10%"}, {"error", "0.2"}, {"truncate", "10%"}, {"seed", "7"}}));
  EXPECT_NE(some, outcomes({{"drop", "10%"}, {"error", "0.2"}, {"truncate", "10%"}, {"seed", "8"}}));
  for (const char outcome : {'d', 'e', 't', '.'}) EXPECT_NE(some.find(outcome), std::string::npos) << outcome;
}

TEST_F(FaultTest, DelaysTheCallByTheLatency) {
  const auto answer = start(step("fault", {{"latency", "200ms"}}).then(server), tool_call("t"));
  pass(milliseconds{190});
  EXPECT_THAT(server.calls, IsEmpty());
  pass(milliseconds{20});
  EXPECT_THAT(shown(answer), StartsWith("{"));
}

TEST_F(FaultTest, DroppedCallsTimeOut) {
  const auto answer = start(step("fault", {{"drop", "100%"}}).then(server), tool_call("t"));
  pass(seconds{29});
  EXPECT_EQ(shown(answer), "…");
  pass(seconds{2});
  ASSERT_TRUE(*answer);
  EXPECT_EQ((*answer)->error().kind, ErrorKind::timeout);
  EXPECT_THAT(server.calls, IsEmpty());
}

TEST_F(FaultTest, AWrongIdStillReachesTheServer) {
  const auto answer = start(step("fault", {{"wrong_id", "1"}}).then(server), tool_call("t"));
  EXPECT_EQ(server.calls.size(), 1U);
  EXPECT_EQ(shown(answer), "…");
}

TEST_F(FaultTest, ErrorsAreNotSentButTruncatedRepliesAre) {
  EXPECT_THAT(text(step("fault", {{"error", "1"}}).then(server), tool_call("t")), HasSubstr("HTTP 503"));
  EXPECT_THAT(server.calls, IsEmpty());
  EXPECT_THAT(text(step("fault", {{"truncate", "1"}}).then(server), tool_call("t")), HasSubstr("ends after"));
  EXPECT_EQ(server.calls.size(), 1U);
}

TEST_F(FaultTest, ReordersReplies) {
  // A seed that reorders the first call and not the second.
  for (int seed = 1; seed < 50; ++seed) {
    const auto service = step("fault", {{"reorder", "50%"}, {"seed", std::to_string(seed)}}).then(server);
    const auto first = start(service, tool_call("a"));
    const auto second = start(service, tool_call("b"));
    if (shown(first) == "…" || shown(second) == "…") {
      pass(seconds{2});
      EXPECT_NE(shown(first), "…");
      EXPECT_NE(shown(second), "…");
      continue;
    }
    if (log.contains("'a' is reordered")) return;
  }
  FAIL() << "no seed reordered anything";
}

/// Records messages to the caller.
struct RecordingChannel final : session::PeerChannel {
  Task<Result<Reply>> request(std::string, json::Payload) override { co_return reply("{}"); }
  Task<Result<void>> notify(std::string method, json::Payload) override {
    notifications.push_back(std::move(method));
    return Result<void>();
  }
  std::vector<std::string> notifications;
};

TEST_F(FaultTest, DelaysEachMessageOfASlowStream) {
  RecordingChannel back;
  server.on_call = [](Call& call) {
    for (const auto* notice : {"one", "two"})
      EXPECT_TRUE(call.context.peer->notify(notice, json::Payload::trusted("{}")).is_ready());
    return Echo::echo(call);
  };
  auto call = tool_call("t");
  call.context.peer = &back;
  const auto answer = start(step("fault", {{"slow", "100ms"}}).then(server), std::move(call));
  EXPECT_EQ(server.calls.size(), 1U) << "the request itself is not";
  EXPECT_THAT(back.notifications, IsEmpty());
  pass(milliseconds{110});
  EXPECT_THAT(back.notifications, ElementsAre("one"));
  EXPECT_EQ(shown(answer), "…");
  pass(milliseconds{110});
  EXPECT_THAT(back.notifications, ElementsAre("one", "two"));
  pass(milliseconds{110});
  pass(milliseconds{110});
  EXPECT_THAT(shown(answer), StartsWith("{"));
}

TEST_F(FaultTest, DelaysTheReplyWithoutAChannel) {
  const auto answer = start(step("fault", {{"slow", "100ms"}}).then(server), tool_call("t"));
  EXPECT_EQ(shown(answer), "…");
  pass(milliseconds{110});
  EXPECT_THAT(shown(answer), StartsWith("{"));
}

TEST_F(FaultTest, SendsNothingAfterACancelledSlowCall) {
  RecordingChannel back;
  server.on_call = [](Call& call) {
    EXPECT_TRUE(call.context.peer->notify("one", json::Payload::trusted("{}")).is_ready());
    return Echo::echo(call);
  };
  auto call = tool_call("t");
  call.context.peer = &back;
  start(step("fault", {{"slow", "100ms"}}).then(server), std::move(call));
  calls.cancel();
  settle();
  pass(seconds{1});
  EXPECT_THAT(back.notifications, IsEmpty());
  EXPECT_EQ(timers.armed(), 0U);
}

TEST_F(FaultTest, DoesNotAffectOtherTools) {
  const auto service = step("fault", {{"error", "1"}, {"tool", "x*"}}).then(server);
  EXPECT_THAT(text(service, tool_call("x1")), StartsWith("!"));
  EXPECT_THAT(text(service, tool_call("y")), StartsWith("{"));
  EXPECT_THAT(text(step("fault", {{"error", "1"}}).then(server), call_of("initialize")), StartsWith("{"));
}

TEST_F(FaultTest, ReadsSharesAsPercentOrFraction) {
  EXPECT_THAT(complaint("fault", {{"drop", "110%"}}),
              HasSubstr("drop: expected a share such as 10% or 0.1, got '110'"));
  EXPECT_THAT(complaint("fault", {{"drop", "often"}}), HasSubstr("expected a share"));
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_fault_test
