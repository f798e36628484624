#include <fairlead/gateway/retry.hpp>

#include "gateway/fixtures/manual_clock_fixture.hpp"

namespace fairlead::gateway::test::middleware_retry_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

Error gateway_error(std::string_view outcome, std::string_view reason) {
  return {.kind = ErrorKind::refused,
          .message = "trouble",
          .code = -32603,
          .data = R"({"source":"gateway","outcome":")" + std::string(outcome) + R"(","reason":")" +
                  std::string(reason) + R"("})"};
}

struct RetryTest : ManualClockTest {
  /// Fails the given number of times, then echoes.
  void fail_first(int times, Error error) {
    server.on_call = [this, times, error](Call& call) {
      return static_cast<int>(server.calls.size()) <= times ? failing(error) : Echo::echo(call);
    };
  }
  std::size_t tries(Call call, int failures, Error error) {
    server.calls.clear();
    fail_first(failures, std::move(error));
    const auto answer = start(step("retry", {{"", "3"}, {"delay", "100ms"}}).then(server), std::move(call));
    for (int i = 0; i < 10; ++i) pass(seconds{1});
    EXPECT_TRUE(*answer);
    return server.calls.size();
  }
  const Error closed{.kind = ErrorKind::closed, .message = "gone"};
};

TEST_F(RetryTest, RetriesWithIncreasingDelay) {
  fail_first(2, closed);
  const auto answer = start(step("retry", {{"", "3"}, {"delay", "100ms"}}).then(server), call_of("tools/list"));
  EXPECT_EQ(server.calls.size(), 1U);
  pass(milliseconds{90});
  EXPECT_EQ(server.calls.size(), 1U);
  pass(milliseconds{20});
  EXPECT_EQ(server.calls.size(), 2U);
  pass(milliseconds{120});
  EXPECT_EQ(server.calls.size(), 2U);
  pass(milliseconds{100});
  EXPECT_EQ(server.calls.size(), 3U);
  EXPECT_EQ(shown(answer), "{}");
}

TEST_F(RetryTest, ReturnsTheLastError) {
  EXPECT_EQ(tries(call_of("tools/list"), 99, closed), 4U);
}

TEST_F(RetryTest, RetriesReadOnlyRequests) {
  for (const auto* method : {"tools/list", "resources/templates/list", "ping"}) {
    EXPECT_EQ(tries(call_of(method), 1, closed), 2U) << method;
  }
  EXPECT_EQ(tries(call_of("resources/read", R"({"uri":"a"})"), 1, closed), 2U);
  EXPECT_EQ(tries(call_of("prompts/get", R"({"name":"a"})"), 1, closed), 2U);
}

TEST_F(RetryTest, DoesNotRetryCallsWithUnknownOutcome) {
  EXPECT_EQ(tries(tool_call("pay"), 1, closed), 1U);
  EXPECT_EQ(tries(tool_call("pay"), 1, gateway_error("unknown", "closed")), 1U);
  EXPECT_EQ(tries(call_of("logging/setLevel"), 1, closed), 1U);
}

TEST_F(RetryTest, RetriesRequestsThatWereNotSent) {
  EXPECT_EQ(tries(tool_call("pay"), 1, gateway_error("not made", "unreachable")), 2U);
}

TEST_F(RetryTest, DoesNotRepeatAfterATimeoutOrARefusal) {
  EXPECT_EQ(tries(call_of("tools/list"), 1, {.kind = ErrorKind::timeout, .message = "late"}), 1U);
  EXPECT_EQ(tries(call_of("tools/list"), 1, gateway_error("unknown", "timeout")), 1U);
  EXPECT_EQ(tries(call_of("tools/list"), 1, {.kind = ErrorKind::refused, .message = "no", .code = -32602}), 1U);
}

TEST_F(RetryTest, LearnsFromListsWhichToolsMayBeRepeated) {
  const auto service = step("retry", {{"", "1"}, {"delay", "100ms"}}).then(server);
  server.on_call = [](Call&) {
    return answering(R"({"tools":[{"name":"look","annotations":{"readOnlyHint":true}},)"
                     R"({"name":"put","annotations":{"idempotentHint":true}},{"name":"pay","annotations":{}}]})");
  };
  text(service, call_of("tools/list"));
  for (const auto& [tool, tries] : {std::pair("look", 2U), std::pair("put", 2U), std::pair("pay", 1U)}) {
    server.calls.clear();
    fail_first(1, closed);
    start(service, tool_call(tool));
    pass(seconds{1});
    EXPECT_EQ(server.calls.size(), tries) << tool;
  }
}

TEST_F(RetryTest, HonoursRetryAfterOfErrors) {
  auto error = gateway_error("not made", "rate limit");
  error.data.insert(error.data.size() - 1, R"(,"retryAfterMs":2000)");
  fail_first(1, error);
  const auto answer = start(step("retry", {{"", "1"}, {"delay", "100ms"}}).then(server), tool_call("t"));
  pass(seconds{1});
  EXPECT_EQ(shown(answer), "…");
  pass(milliseconds{1100});
  EXPECT_NE(shown(answer), "…");
}

TEST_F(RetryTest, DoesNotRetryBeyondTheCallersTimeout) {
  fail_first(9, closed);
  auto call = call_of("tools/list");
  call.timeouts.total = milliseconds{250};
  const auto answer = start(step("retry", {{"", "9"}, {"delay", "100ms"}}).then(server), std::move(call));
  for (int i = 0; i < 9; ++i) pass(milliseconds{110});
  EXPECT_EQ(shown(answer), "!gone");
  EXPECT_EQ(server.calls.size(), 2U);
}

TEST_F(RetryTest, EachAttemptGetsTheOriginalCall) {
  server.on_call = [this](Call& call) {
    call.params = json::Payload::trusted("{\"spoilt\":1}");
    return server.calls.size() == 1 ? failing(closed) : Echo::echo(call);
  };
  start(step("retry", {{"", "1"}, {"delay", "100ms"}}).then(server), call_of("tools/list", R"({"cursor":"x"})"));
  pass(seconds{1});
  EXPECT_EQ(server.calls[1], R"(tools/list {"cursor":"x"})");
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_retry_test
