#include "load/answer_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::load::answer_check_test {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr std::uint32_t id = 100'000'042;

std::string answer_with(const std::string& text) {
  return R"({"jsonrpc":"2.0","id":100000042,"result":{"content":[{"type":"text","text":")" + text + R"("}]}})";
}

TEST(AnsweredId, FindsTheIdInAnyMemberOrder) {
  EXPECT_THAT(answered_id(answer_with("hi")), Optional(id));
  EXPECT_THAT(answered_id(R"({"result":{},"jsonrpc":"2.0","id": 100000042})"), Optional(id));
  EXPECT_THAT(answered_id("event: message\nid: 3\ndata: " + answer_with("hi") + "\n\n"), Optional(id));
}

TEST(AnsweredId, FindsTheIdAtBothEndsOfALargeAnswer) {
  const std::string large(1 << 20, 'x');
  EXPECT_THAT(answered_id(answer_with(large)), Optional(id));
  EXPECT_THAT(answered_id(R"({"result":{"text":")" + large + R"("},"id":100000042})"), Optional(id));
}

TEST(AnsweredId, ReturnsNothingForANotification) {
  EXPECT_EQ(answered_id(R"({"method":"notifications/progress","params":{"progressToken":100000042}})"), std::nullopt);
  EXPECT_EQ(answered_id(R"({"id":3,"method":"ping"})"), std::nullopt);
}

TEST(AnswerProblem, AcceptsTheEchoedText) {
  EXPECT_EQ(answer_problem({.echo = "00007-"}, answer_with("00007-100000042"), id), std::nullopt);
  EXPECT_EQ(answer_problem({}, answer_with("anything"), id), std::nullopt);
}

TEST(AnswerProblem, RejectsTheTextOfAnotherCallOrConnection) {
  const ExpectedAnswer expected{.echo = "00007-"};
  EXPECT_THAT(answer_problem(expected, answer_with("00007-100000043"), id),
              Optional(HasSubstr("not the text that was sent")));
  EXPECT_THAT(answer_problem(expected, answer_with("00008-100000042"), id),
              Optional(HasSubstr("not the text that was sent")));
}

TEST(AnswerProblem, RejectsAnErrorAndAFailedTool) {
  EXPECT_THAT(answer_problem({}, R"({"id":100000042,"error":{"code":-32602,"message":"no"}})", id),
              Optional(HasSubstr("-32602")));
  EXPECT_THAT(answer_problem({}, R"({"id":100000042,"result":{"content":[],"isError":true}})", id),
              Optional(HasSubstr("failed")));
}

TEST(AnswerProblem, RejectsMissingProgressNotifications) {
  const std::string one = R"(data: {"method":"notifications/progress"})";
  const auto body = one + "\n\n" + one + "\n\ndata: " + answer_with("done");
  EXPECT_EQ(answer_problem({.progress = 2}, body, id), std::nullopt);
  EXPECT_THAT(answer_problem({.progress = 3}, body, id),
              Optional(HasSubstr("received 2 progress notifications, expected 3")));
}

}  // namespace
}  // namespace fairlead::load::answer_check_test
