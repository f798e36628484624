#include <fairlead/gateway/limit.hpp>

#include <fairlead/http/identity.hpp>

#include "base/async_event.hpp"
#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_limit_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::StartsWith;

struct LimitTest : ManualClockTest {
  static Call by(std::string caller, const std::string& tool = "t") {
    auto call = tool_call(tool);
    call.context.principal = std::move(caller);
    return call;
  }

  /// A server that answers on request.
  struct HeldCall {
    explicit HeldCall(LimitTest& test) : bell(test.io.get_executor()) {
      test.server.on_call = [this](Call&) { return hold(); };
    }
    Task<Result<Reply>> hold() {
      ++inside;
      most = std::max(most, inside);
      while (!open) co_await bell.wait();
      --inside;
      co_return reply("{}");
    }
    void release() {
      open = true;
      bell.notify();
    }
    AsyncEvent bell;
    bool open = false;
    int inside = 0;
    int most = 0;
  };
};

TEST_F(LimitTest, AllowsABurstThenTheRate) {
  const auto service = step("limit", {{"", "2/s"}, {"burst", "3"}}).then(server);
  for (int i = 0; i < 3; ++i) EXPECT_THAT(text(service, by("ann")), StartsWith("{"));
  EXPECT_THAT(text(service, by("ann")), HasSubstr("tools/call 't' is called too often; try again in 0.5 s"));
  pass(milliseconds{500});
  EXPECT_THAT(text(service, by("ann")), StartsWith("{"));
  EXPECT_THAT(text(service, by("ann")), StartsWith("!"));
}

TEST_F(LimitTest, PollsOfATaskDoNotCount) {
  const auto service = step("limit", {{"", "1/m"}, {"burst", "1"}}).then(server);
  EXPECT_THAT(text(service, by("anna")), StartsWith("{"));
  for (int i = 0; i < 5; ++i) {
    auto poll = call_of("tasks/get", R"({"taskId":"x","name":"t"})");
    poll.context.principal = "anna";
    EXPECT_THAT(text(service, std::move(poll)), StartsWith("{"));
  }
  EXPECT_THAT(text(service, by("anna")), HasSubstr("too often"));
}

TEST_F(LimitTest, ErrorSaysWhenToRetry) {
  const auto service = step("limit", {{"", "1/m"}}).then(server);
  text(service, by("ann"));
  const auto answer = start(service, by("ann"));
  ASSERT_TRUE(*answer && !**answer);
  EXPECT_EQ((*answer)->error().data,
            R"({"source":"gateway","reason":"rate limit","outcome":"not made","retryAfterMs":60000})");
  EXPECT_EQ((*answer)->error().code, -32000);
}

TEST_F(LimitTest, CountsPerCallerAndTool) {
  const auto service = step("limit", {{"", "1/m"}}).then(server);
  EXPECT_THAT(text(service, by("ann", "a")), StartsWith("{"));
  EXPECT_THAT(text(service, by("ann", "b")), StartsWith("{"));
  EXPECT_THAT(text(service, by("bob", "a")), StartsWith("{"));
  EXPECT_THAT(text(service, by("ann", "a")), StartsWith("!"));
}

TEST_F(LimitTest, IsForTheSelectedCallersOnly) {
  const auto with_scope = [](const std::string& scope) {
    auto call = by("ann");
    call.context.identity =
        std::make_shared<const http::Identity>(http::Identity{.principal = "ann", .scopes = {scope}});
    return call;
  };
  const auto by_scope = step("limit", {{"", "1/m"}, {"scope", "trial:*"}}).then(server);
  EXPECT_THAT(text(by_scope, with_scope("trial:week")), StartsWith("{"));
  EXPECT_THAT(text(by_scope, with_scope("trial:week")), StartsWith("!"));
  EXPECT_THAT(text(by_scope, with_scope("paid")), StartsWith("{"));
  EXPECT_THAT(text(by_scope, by("ann")), StartsWith("{"))
      << "a caller without an identity has no scopes, so the limit does not apply";
  const auto by_name = step("limit", {{"", "1/m"}, {"caller", "bob"}}).then(server);
  for (const std::string caller : {"ann", "ann", "bob"}) EXPECT_THAT(text(by_name, by(caller)), StartsWith("{"));
  EXPECT_THAT(text(by_name, by("bob")), StartsWith("!"));
}

TEST_F(LimitTest, CountsAllCallsTogether) {
  const auto by_caller = step("limit", {{"", "1/m"}, {"per", "caller"}}).then(server);
  EXPECT_THAT(text(by_caller, by("ann", "a")), StartsWith("{"));
  EXPECT_THAT(text(by_caller, by("ann", "b")), StartsWith("!"));
  EXPECT_THAT(text(by_caller, by("bob", "b")), StartsWith("{"));
  const auto all = step("limit", {{"", "1/m"}, {"per", "all"}}).then(server);
  EXPECT_THAT(text(all, by("ann", "a")), StartsWith("{"));
  EXPECT_THAT(text(all, by("bob", "b")), StartsWith("!"));
}

TEST_F(LimitTest, ListsAndPingsAreNotCounted) {
  const auto service = step("limit", {{"", "1/h"}, {"per", "all"}}).then(server);
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(text(service, call_of("tools/list")), StartsWith("{"));
    EXPECT_THAT(text(service, call_of("ping")), StartsWith("{"));
  }
}

TEST_F(LimitTest, LimitsTheCountersForInventedNames) {
  const auto service = step("limit", {{"", "1/h"}}).then(server);
  for (int i = 0; i < 10'050; ++i) text(service, by("ann", "tool" + std::to_string(i)));
  EXPECT_THAT(text(service, by("ann", "new")), StartsWith("!"));
  EXPECT_THAT(text(service, by("ann", "another")), StartsWith("!"));
}

TEST_F(LimitTest, Finding_S15_InventedNamesDoNotAffectOtherCallers) {
  const auto service = step("limit", {{"", "1/m"}}).then(server);
  for (int i = 0; i < 10'100; ++i) text(service, by("ann", "invented " + std::to_string(i)));
  EXPECT_THAT(text(service, by("ann", "one more")), HasSubstr("called too often"))
      << "what she invents is counted together";
  for (const auto* tool : {"t", "u"}) EXPECT_THAT(text(service, by("bob", tool)), StartsWith("{")) << tool;
  EXPECT_THAT(text(service, by("bob")), HasSubstr("called too often"));
}

TEST_F(LimitTest, QueuesCallsBeyondTheConcurrency) {
  const auto service = step("limit", {{"concurrent", "2"}, {"queue", "2"}}).then(server);
  HeldCall held(*this);
  std::vector<Answer> answers;
  for (int i = 0; i < 5; ++i) answers.push_back(start(service, by("ann")));
  EXPECT_EQ(held.inside, 2);
  EXPECT_THAT(shown(answers[4]), HasSubstr("2 calls are running"));
  held.release();
  settle();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(shown(answers[static_cast<std::size_t>(i)]), "{}");
  EXPECT_EQ(held.most, 2);
  EXPECT_EQ(text(service, by("ann")), "{}");
}

TEST_F(LimitTest, LimitsTheWait) {
  const auto service = step("limit", {{"concurrent", "1"}, {"queue", "5"}, {"wait", "3s"}}).then(server);
  HeldCall held(*this);
  const auto first = start(service, by("ann"));
  const auto second = start(service, by("ann"));
  pass(seconds{2});
  EXPECT_EQ(shown(second), "…");
  pass(seconds{2});
  EXPECT_THAT(shown(second), StartsWith("!"));
  held.release();
  settle();
  EXPECT_EQ(shown(first), "{}");
  EXPECT_EQ(text(service, by("ann")), "{}");
}

TEST_F(LimitTest, ReportsInvalidArguments) {
  EXPECT_THAT(complaint("limit", {{"", "fast"}}), HasSubstr("rate: expected a rate such as 10/s or 100/m, got 'fast'"));
  EXPECT_THAT(complaint("limit", {}), HasSubstr("rate: is missing"));
  EXPECT_THAT(complaint("limit", {{"", "1/s"}, {"per", "moon"}}), HasSubstr("per: expected one of"));
  EXPECT_EQ(complaint("limit", {{"", "5/10s"}}), "");
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_limit_test
