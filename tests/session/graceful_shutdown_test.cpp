#include <fairlead/session/session.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

namespace fairlead::session::graceful_shutdown_test {
namespace {

using testing::HasSubstr;

constexpr auto call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})";

struct GracefulShutdownTest : testing::Test {
  Promise<bool> release;
  std::stop_token over;
  SessionFixture fixture;

  GracefulShutdownTest() {
    fixture.service.on_call = [this](Call& incoming) {
      over = incoming.context.peer_closed;
      return answer_later(release);
    };
  }
  void finish() {
    fixture.run_on_loop([this] { fixture.session.shutdown_gracefully(); });
  }
  static Task<Result<Reply>> answer_later(Promise<bool>& released) {
    const auto is_set = co_await released.wait();
    if (is_set) co_await next_turn;
    co_return Reply{.body = json::Payload::trusted(R"({"late":1})")};
  }
};

TEST_F(GracefulShutdownTest, WaitsForHandlersAndWritesTheirResponses) {
  fixture.peer_sends(call);
  finish();
  EXPECT_FALSE(fixture.ended);
  fixture.run_on_loop([this] { release.set(true); });
  EXPECT_THAT(fixture.sent_to_peer(), HasSubstr(R"("id":1,"result":{"late":1})"));
  ASSERT_TRUE(fixture.ended);
  EXPECT_TRUE(*fixture.ended);
}

TEST_F(GracefulShutdownTest, StopsReading) {
  fixture.peer_sends(call);
  finish();
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  fixture.run_on_loop([this] { release.set(true); });
  EXPECT_THAT(fixture.sent_to_peer(), testing::Not(HasSubstr(R"("id":2)")));
}

TEST_F(GracefulShutdownTest, FailsPendingCalls) {
  const auto result = fixture.call_peer({.method = "roots/list"});
  finish();
  ASSERT_TRUE(*result);
  ASSERT_FALSE(**result);
  EXPECT_EQ((**result).error().kind, ErrorKind::closed);
}

TEST_F(GracefulShutdownTest, CancelsHandlersAfterTheDrainTimeout) {
  fixture.peer_sends(call);
  finish();
  fixture.advance(std::chrono::minutes{1});
  EXPECT_TRUE(fixture.ended);
}

TEST_F(GracefulShutdownTest, HandlersSeeThatTheSessionIsEnding) {
  fixture.peer_sends(call);
  EXPECT_FALSE(over.stop_requested());
  finish();
  EXPECT_TRUE(over.stop_requested());
}

TEST_F(GracefulShutdownTest, HandlersSeeThatThePeerHasDisconnected) {
  fixture.peer_sends(call);
  fixture.disconnect();
  EXPECT_TRUE(over.stop_requested());
  EXPECT_FALSE(fixture.ended);
}

}  // namespace
}  // namespace fairlead::session::graceful_shutdown_test
