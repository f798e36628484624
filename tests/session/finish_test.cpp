#include <fairlead/session/session.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/conversation.hpp"

namespace fairlead::session::finish_test {
namespace {

using testing::HasSubstr;

constexpr auto call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})";

struct FinishTest : testing::Test {
  Promise<bool> release;
  std::stop_token over;
  Talk talk;

  FinishTest() {
    talk.service.on_call = [this](Call& asked) {
      over = asked.context.over;
      return answer_later(release);
    };
  }
  void finish() {
    talk.on_the_loop([this] { talk.session.finish(); });
  }
  static Task<Result<Reply>> answer_later(Promise<bool>& released) {
    co_await released.wait(false);
    co_return Reply{.body = json::Payload::trusted(R"({"late":1})")};
  }
};

TEST_F(FinishTest, HandlersEndAndTheirAnswersAreWritten) {
  talk.say(call);
  finish();
  EXPECT_FALSE(talk.ended);
  talk.on_the_loop([this] { release.set(true); });
  EXPECT_THAT(talk.heard(), HasSubstr(R"("id":1,"result":{"late":1})"));
  ASSERT_TRUE(talk.ended);
  EXPECT_TRUE(*talk.ended);
}

TEST_F(FinishTest, NothingMoreIsRead) {
  talk.say(call);
  finish();
  talk.say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  talk.on_the_loop([this] { release.set(true); });
  EXPECT_THAT(talk.heard(), testing::Not(HasSubstr(R"("id":2)")));
}

TEST_F(FinishTest, OurOwnCallsFailBecauseNobodyWillReadTheirAnswers) {
  const auto result = talk.ask({.method = "roots/list"});
  finish();
  ASSERT_TRUE(*result);
  ASSERT_FALSE(**result);
  EXPECT_EQ((**result).error().kind, ErrorKind::closed);
}

TEST_F(FinishTest, AHandlerThatNeverEndsIsCancelledInTheEnd) {
  talk.say(call);
  finish();
  talk.pass(std::chrono::minutes{1});
  EXPECT_TRUE(talk.ended);
}

TEST_F(FinishTest, HandlersAreToldThatThePeerWillSayNothingMore) {
  talk.say(call);
  EXPECT_FALSE(over.stop_requested());
  finish();
  EXPECT_TRUE(over.stop_requested());
}

TEST_F(FinishTest, HandlersAreToldThatThePeerHasHungUp) {
  talk.say(call);
  talk.hang_up();
  EXPECT_TRUE(over.stop_requested());
  EXPECT_FALSE(talk.ended);
}

}  // namespace
}  // namespace fairlead::session::finish_test
