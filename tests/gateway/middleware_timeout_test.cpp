#include <fairlead/gateway/chain.hpp>
#include <fairlead/gateway/timeout.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/conversation.hpp"

namespace fairlead::gateway::test::middleware_timeout_test {
namespace {

using session::Call;
using session::Patience;
using session::Reply;
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
          .patience = Patience::endless()};
}

/// A server at the other end of a conversation whose time the test makes pass.
struct TimeoutTest : testing::Test {
  session::Talk talk{client()};
  std::optional<Result<Reply>> answer;

  static Task<void> calling(std::shared_ptr<session::Service> service, Call call, std::optional<Result<Reply>>* out) {
    *out = co_await service->call(call);
  }
  void ask(const Chain& chain, Call call = search()) {
    boost::asio::co_spawn(talk.io, calling(chain.then(talk.session.peer()), std::move(call), &answer),
                          [](const std::exception_ptr&) {});
    talk.settle();
  }
  void progress(int step) {
    talk.say(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":)" +
             std::to_string(step) + "}}");
  }
};

TEST_F(TimeoutTest, GivesUpAndSaysOnWhatAndAfterHowLong) {
  ask(chain().then(timeout({.idle = seconds{5}, .cap = minutes{1}})));
  talk.pass(seconds{4});
  EXPECT_FALSE(answer);
  talk.heard();
  talk.pass(seconds{2});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().kind, ErrorKind::timeout);
  EXPECT_THAT(answer->error().message,
              AllOf(HasSubstr("tools/call 'search'"), HasSubstr("no sign of life for 5s"), HasSubstr("within 1m")));
  EXPECT_THAT(talk.heard(), HasSubstr("notifications/cancelled"));
}

TEST_F(TimeoutTest, ProgressCountsFromAnewUpToTheCap) {
  auto call = search();
  call.on_progress = [](const auto&) {};
  ask(chain().then(timeout({.idle = seconds{5}, .cap = seconds{13}})), std::move(call));
  for (int step = 1; step <= 3; ++step) {
    talk.pass(seconds{4});
    progress(step);
    EXPECT_FALSE(answer) << step;
  }
  talk.pass(seconds{2});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().kind, ErrorKind::timeout);
}

TEST_F(TimeoutTest, TheShortestOfSeveralCounts) {
  ask(chain().then(timeout({.idle = seconds{50}})).then(timeout({.idle = seconds{5}})).then(timeout(Patience())));
  talk.pass(seconds{6});
  EXPECT_TRUE(answer);
}

TEST_F(TimeoutTest, WhatIsAnsweredInTimeStaysAsItIs) {
  ask(chain().then(timeout({.idle = seconds{5}})));
  talk.say(R"({"jsonrpc":"2.0","id":1,"result":{"content":[]}})");
  ASSERT_TRUE(answer);
  EXPECT_EQ((*answer)->body.text(), R"({"content":[]})");
}

TEST_F(TimeoutTest, OtherErrorsStayAsTheyAre) {
  ask(chain().then(timeout({.idle = seconds{5}})));
  talk.say(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().message, "no");
}

TEST_F(TimeoutTest, WhatIsThereAtOnceIsAnsweredAtOnce) {
  session::TestService quick;
  quick.on_call_now = [](Call&) { return Result<Reply>(Reply{}); };
  auto call = search();
  EXPECT_TRUE(chain().then(timeout(Patience())).then(quick)->answer_now(call));
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_timeout_test
