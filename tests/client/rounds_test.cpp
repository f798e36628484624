#include <deque>
#include <fairlead/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::client::rounds_test {
namespace {

using protocol::ResultKind;
using session::Reply;
using testing::HasSubstr;

/// A server of the stateless era that answers what it was told to.
class Puppet final : public session::Service {
 public:
  Task<Result<Reply>> call(session::Call& call) override {
    if (call.method == protocol::Discover::method) {
      co_return Reply{.body = json::Payload::trusted(R"({"supportedVersions":["2026-07-28"],"capabilities":{}})")};
    }
    asked.emplace_back(call.params.text());
    if (replies.empty()) co_return Reply{.body = json::Payload::trusted(R"({"content":[]})")};
    auto reply = std::move(replies.front());
    replies.pop_front();
    co_return reply;
  }
  Task<void> notify(session::Notice&) override { co_return; }

  void ask_back(std::string body) {
    replies.push_back({.body = json::Payload::trusted(std::move(body)), .kind = ResultKind::input_required});
  }

  std::deque<Reply> replies;
  std::vector<std::string> asked;
};

struct Rounds : testing::Test {
  Rounds() { options.roots = {protocol::Root{.uri = "file:///a"}}; }

  Result<std::string> call() {
    auto client = connect(puppet, options);
    return client.wait(client.async().call<std::string>("t", {{"x", 1}}));
  }
  std::string error() {
    const auto result = call();
    return result ? "no error" : result.error().message;
  }

  Puppet puppet;
  ClientOptions options;
};

TEST_F(Rounds, AQuestionIsAnsweredAndTheRequestSentAgainWithItsState) {
  puppet.ask_back(R"({"inputRequests":{"k":{"method":"roots/list"}},"requestState":"s\"1"})");
  EXPECT_TRUE(call());
  ASSERT_EQ(puppet.asked.size(), 2U);
  EXPECT_EQ(puppet.asked[1], R"({"name":"t","arguments":{"x":1},)"
                             R"("inputResponses":{"k":{"roots":[{"uri":"file:///a"}]}},"requestState":"s\"1"})");
}

TEST_F(Rounds, AnswersAndStateOfOneRoundAreNotSentInTheNext) {
  puppet.ask_back(R"({"inputRequests":{"k":{"method":"roots/list"}},"requestState":"1"})");
  puppet.ask_back(R"({"inputRequests":{"l":{"method":"roots/list"}}})");
  EXPECT_TRUE(call());
  ASSERT_EQ(puppet.asked.size(), 3U);
  EXPECT_THAT(puppet.asked[2], HasSubstr(R"("inputResponses":{"l":)"));
  EXPECT_THAT(puppet.asked[2], testing::Not(HasSubstr("requestState")));
}

TEST_F(Rounds, AServerThatOnlyWantsToBeAskedAgainIs) {
  puppet.ask_back(R"({"requestState":"later"})");
  EXPECT_TRUE(call());
  EXPECT_THAT(puppet.asked.at(1), HasSubstr(R"("requestState":"later")"));
}

TEST_F(Rounds, AServerThatAsksForEverIsStopped) {
  options.max_rounds = 3;
  for (int i = 0; i < 9; ++i) puppet.ask_back(R"({"inputRequests":{"k":{"method":"roots/list"}}})");
  EXPECT_THAT(error(), HasSubstr("3 times"));
  EXPECT_EQ(puppet.asked.size(), 3U);
}

TEST_F(Rounds, AServerThatWantsNothingInParticularIsAnError) {
  puppet.ask_back("{}");
  EXPECT_THAT(error(), HasSubstr("does not say what"));
}

TEST_F(Rounds, AQuestionThatWeDidNotOfferToAnswerIsAnError) {
  puppet.ask_back(R"({"inputRequests":{"k":{"method":"sampling/createMessage","params":{}}}})");
  EXPECT_NE(error(), "no error");
}

TEST_F(Rounds, AnExtensionsResultIsAnErrorThatNamesIt) {
  puppet.replies.push_back(
      {.body = json::Payload::trusted("{}"), .kind = ResultKind::other, .other_kind = "task_started"});
  EXPECT_THAT(error(), HasSubstr("task_started"));
}

TEST_F(Rounds, AListWithoutAnEndIsAnError) {
  for (int i = 0; i < 9; ++i) {
    puppet.replies.push_back({.body = json::Payload::trusted(R"({"tools":[],"nextCursor":"c"})")});
  }
  auto client = connect(puppet, options);
  const auto listed = client.wait(client.async().tools());
  ASSERT_FALSE(listed);
  EXPECT_THAT(listed.error().message, HasSubstr("same cursor"));
}

TEST_F(Rounds, Finding_S11_AListWithEverNewCursorsIsAnError) {
  for (int i = 0; i < 1'010; ++i) {
    puppet.replies.push_back(
        {.body = json::Payload::trusted(R"({"tools":[],"nextCursor":")" + std::to_string(i) + "\"}")});
  }
  auto client = connect(puppet, options);
  const auto listed = client.wait(client.async().tools());
  ASSERT_FALSE(listed);
  EXPECT_THAT(listed.error().message, HasSubstr("tools/list are too long: more than 1000 pages"));
}

struct Promise : Rounds {
  Promise() {
    puppet.replies.push_back({.body = json::Payload::trusted(
                                  R"({"tools":[{"name":"t","inputSchema":{},"outputSchema":{"required":["x"]}}]})")});
  }
  void answers(std::string body) { puppet.replies.push_back({.body = json::Payload::trusted(std::move(body))}); }
};

TEST_F(Promise, AResultThatBreaksItsToolsSchemaIsAnError) {
  options.check = ResultCheck::always;
  answers(R"({"content":[],"structuredContent":{"y":1}})");
  EXPECT_THAT(error(), testing::AllOf(HasSubstr("'t'"), HasSubstr("x")));
}

TEST_F(Promise, AResultWithoutThePromisedContentIsAnError) {
  options.check = ResultCheck::always;
  answers(R"({"content":[]})");
  EXPECT_THAT(error(), HasSubstr("no structured content"));
}

TEST_F(Promise, AFailedToolOwesNothing) {
  options.check = ResultCheck::always;
  answers(R"({"content":[{"type":"text","text":"broke"}],"isError":true})");
  EXPECT_EQ(error(), "broke");
}

TEST_F(Promise, WhatWasNotListedIsNotChecked) {
  puppet.replies.clear();
  answers(R"({"content":[],"structuredContent":{"y":1}})");
  EXPECT_EQ(error(), "no error");
}

}  // namespace
}  // namespace fairlead::client::rounds_test
