#include <fairlead/gateway/timeout.hpp>

#include <fairlead/base/asio_task.hpp>
#include <fairlead/gateway/chain.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

namespace fairlead::gateway::test::middleware_timeout_test {
namespace {

using session::Call;
using session::Reply;
using session::Timeouts;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

session::SessionOptions client() {
  session::SessionOptions options;
  options.side = session::Side::client;
  return options;
}

Call search() {
  return {.method = "tools/call",
          .params = json::Payload::trusted(R"({"name":"search"})"),
          .timeouts = Timeouts::endless()};
}

/// A server connection with a manual clock.
struct TimeoutTest : testing::Test {
  session::SessionFixture fixture{client()};
  std::optional<Result<Reply>> answer;

  static Task<void> calling(std::shared_ptr<session::Service> service, Call call, std::optional<Result<Reply>>* out) {
    *out = co_await service->call(call);
  }
  void start_call(const Chain& chain, Call call = search()) {
    async_start(fixture.io, calling(chain.then(fixture.session.peer()), std::move(call), &answer),
                [](const std::exception_ptr&) {});
    fixture.run_ready();
  }
  void progress(int step) {
    fixture.peer_sends(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":)" +
                       std::to_string(step) + "}}");
  }
};

TEST_F(TimeoutTest, TimesOutAndNamesTheCallAndTheLimits) {
  start_call(chain().then(timeout({.idle = seconds{5}, .total = minutes{1}})));
  fixture.advance(seconds{4});
  EXPECT_FALSE(answer);
  fixture.sent_to_peer();
  fixture.advance(seconds{2});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().kind, ErrorKind::timeout);
  EXPECT_THAT(answer->error().message,
              AllOf(HasSubstr("tools/call 'search'"), HasSubstr("for 5s, or no reply"), HasSubstr("within 1m")));
  EXPECT_THAT(fixture.sent_to_peer(), HasSubstr("notifications/cancelled"));
}

TEST_F(TimeoutTest, ProgressRestartsTheIdleTimeoutUpToMaxTime) {
  auto call = search();
  call.on_progress = [](const auto&) {};
  start_call(chain().then(timeout({.idle = seconds{5}, .total = seconds{13}})), std::move(call));
  for (int step = 1; step <= 3; ++step) {
    fixture.advance(seconds{4});
    progress(step);
    EXPECT_FALSE(answer) << step;
  }
  fixture.advance(seconds{2});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().kind, ErrorKind::timeout);
}

TEST_F(TimeoutTest, TheShortestTimeoutApplies) {
  start_call(
      chain().then(timeout({.idle = seconds{50}})).then(timeout({.idle = seconds{5}})).then(timeout(Timeouts())));
  fixture.advance(seconds{6});
  EXPECT_TRUE(answer);
}

TEST_F(TimeoutTest, KeepsRepliesInTime) {
  start_call(chain().then(timeout({.idle = seconds{5}})));
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})");
  ASSERT_TRUE(answer);
  EXPECT_EQ((*answer)->body.text(), R"({"content":[]})");
}

TEST_F(TimeoutTest, KeepsOtherErrors) {
  start_call(chain().then(timeout({.idle = seconds{5}})));
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().message, "no");
}

TEST_F(TimeoutTest, KeepsAReadyReply) {
  session::TestService quick;
  quick.on_call = [](Call&) { return Task<Result<Reply>>(Reply{}); };
  auto call = search();
  EXPECT_TRUE(chain().then(timeout(Timeouts())).then(quick)->call(call).is_ready());
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_timeout_test
