#include <deque>
#include <fairlead/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::client::input_rounds_test {
namespace {

using protocol::ResultKind;
using session::Reply;
using testing::HasSubstr;

/// A service of the stateless era with scripted replies.
class ScriptedService final : public session::Service {
 public:
  Task<Result<Reply>> call(session::Call& call) override {
    if (call.method == protocol::Discover::method) {
      co_return Reply{.body = json::Payload::trusted(R"({"supportedVersions":["2026-07-28"],"capabilities":{}})")};
    }
    received_params.emplace_back(call.params.text());
    if (replies.empty()) co_return Reply{.body = json::Payload::trusted(R"({"content":[]})")};
    auto reply = std::move(replies.front());
    replies.pop_front();
    co_return reply;
  }
  Task<void> notify(session::Notification&) override { co_return; }

  void require_input(std::string body) {
    replies.push_back({.body = json::Payload::trusted(std::move(body)), .kind = ResultKind::input_required});
  }

  std::deque<Reply> replies;
  std::vector<std::string> received_params;
};

struct InputRounds : testing::Test {
  InputRounds() { options.roots = {protocol::Root{.uri = "file:///a"}}; }

  Result<std::string> call() {
    auto client = connect(service, options);
    return client.wait(client.async().call<std::string>("t", {{"x", 1}}));
  }
  std::string error() {
    const auto result = call();
    return result ? "no error" : result.error().message;
  }

  ScriptedService service;
  ClientOptions options;
};

TEST_F(InputRounds, RepeatsTheRequestWithResponsesAndState) {
  service.require_input(R"({"inputRequests":{"k":{"method":"roots/list"}},"requestState":"s\"1"})");
  EXPECT_TRUE(call());
  ASSERT_EQ(service.received_params.size(), 2U);
  EXPECT_EQ(service.received_params[1],
            R"({"name":"t","arguments":{"x":1},)"
            R"("inputResponses":{"k":{"roots":[{"uri":"file:///a"}]}},"requestState":"s\"1"})");
}

TEST_F(InputRounds, DropsResponsesAndStateOfEarlierRounds) {
  service.require_input(R"({"inputRequests":{"k":{"method":"roots/list"}},"requestState":"1"})");
  service.require_input(R"({"inputRequests":{"l":{"method":"roots/list"}}})");
  EXPECT_TRUE(call());
  ASSERT_EQ(service.received_params.size(), 3U);
  EXPECT_THAT(service.received_params[2], HasSubstr(R"("inputResponses":{"l":)"));
  EXPECT_THAT(service.received_params[2], testing::Not(HasSubstr("requestState")));
}

TEST_F(InputRounds, RepeatsTheRequestWithStateOnly) {
  service.require_input(R"({"requestState":"later"})");
  EXPECT_TRUE(call());
  EXPECT_THAT(service.received_params.at(1), HasSubstr(R"("requestState":"later")"));
}

TEST_F(InputRounds, LimitsTheNumberOfRounds) {
  options.max_rounds = 3;
  for (int i = 0; i < 9; ++i) service.require_input(R"({"inputRequests":{"k":{"method":"roots/list"}}})");
  EXPECT_THAT(error(), HasSubstr("3 times"));
  EXPECT_EQ(service.received_params.size(), 3U);
}

TEST_F(InputRounds, RejectsInputRequiredWithoutRequests) {
  service.require_input("{}");
  EXPECT_THAT(error(), HasSubstr("neither inputRequests nor requestState"));
}

TEST_F(InputRounds, RejectsAnInputRequestThatWasNotDeclared) {
  service.require_input(R"({"inputRequests":{"k":{"method":"sampling/createMessage","params":{}}}})");
  EXPECT_NE(error(), "no error");
}

TEST_F(InputRounds, RejectsAnUnknownResultTypeByName) {
  service.replies.push_back(
      {.body = json::Payload::trusted("{}"), .kind = ResultKind::other, .other_kind = "task_started"});
  EXPECT_THAT(error(), HasSubstr("task_started"));
}

TEST_F(InputRounds, RejectsARepeatedCursor) {
  for (int i = 0; i < 9; ++i) {
    service.replies.push_back({.body = json::Payload::trusted(R"({"tools":[],"nextCursor":"c"})")});
  }
  auto client = connect(service, options);
  const auto listed = client.wait(client.async().tools());
  ASSERT_FALSE(listed);
  EXPECT_THAT(listed.error().message, HasSubstr("same cursor"));
}

TEST_F(InputRounds, Finding_S11_LimitsTheNumberOfPages) {
  for (int i = 0; i < 1'010; ++i) {
    service.replies.push_back(
        {.body = json::Payload::trusted(R"({"tools":[],"nextCursor":")" + std::to_string(i) + "\"}")});
  }
  auto client = connect(service, options);
  const auto listed = client.wait(client.async().tools());
  ASSERT_FALSE(listed);
  EXPECT_THAT(listed.error().message, HasSubstr("tools/list is too long: more than 1000 pages"));
}

struct OutputSchemaCheck : InputRounds {
  OutputSchemaCheck() {
    service.replies.push_back({.body = json::Payload::trusted(
                                   R"({"tools":[{"name":"t","inputSchema":{},"outputSchema":{"required":["x"]}}]})")});
  }
  void answers(std::string body) { service.replies.push_back({.body = json::Payload::trusted(std::move(body))}); }
};

TEST_F(OutputSchemaCheck, RejectsAResultThatViolatesTheOutputSchema) {
  options.validate_results = ResultValidation::always;
  answers(R"({"content":[],"structuredContent":{"y":1}})");
  EXPECT_THAT(error(), testing::AllOf(HasSubstr("'t'"), HasSubstr("x")));
}

TEST_F(OutputSchemaCheck, RejectsAResultWithoutStructuredContent) {
  options.validate_results = ResultValidation::always;
  answers(R"({"content":[]})");
  EXPECT_THAT(error(), HasSubstr("no structured content"));
}

TEST_F(OutputSchemaCheck, AcceptsAToolErrorWithoutValidation) {
  options.validate_results = ResultValidation::always;
  answers(R"({"content":[{"type":"text","text":"broke"}],"isError":true})");
  EXPECT_EQ(error(), "broke");
}

TEST_F(OutputSchemaCheck, SkipsValidationOfUnlistedTools) {
  service.replies.clear();
  answers(R"({"content":[],"structuredContent":{"y":1}})");
  EXPECT_EQ(error(), "no error");
}

}  // namespace
}  // namespace fairlead::client::input_rounds_test
