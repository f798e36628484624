#include <fairlead/protocol/fault.hpp>
#include <gtest/gtest.h>

#include "gateway/middleware/trouble.hpp"
#include "gateway/observe/outcome.hpp"

namespace fairlead::gateway::test::observe_outcome_test {
namespace {

Outcome outcome(const Result<session::Reply>& reply) {
  static const Redactor redactor;
  return outcome_of(reply, nullptr, redactor);
}

Outcome of_result(std::string body) {
  return outcome(session::Reply{.body = json::Payload::trusted(std::move(body))});
}

Outcome of_error(Error error) {
  return outcome(std::unexpected(std::move(error)));
}

/// As the gateway tells of a server that has failed.
Error told_of(const std::string& data) {
  return {.kind = ErrorKind::refused, .message = "no", .code = -32603, .data = data};
}

TEST(Outcome, AResultIsWellUnlessItSaysOtherwise) {
  EXPECT_FALSE(of_result(R"({"content":[]})").failed());
  EXPECT_FALSE(of_result(R"({"content":[],"isError":false})").failed());
  EXPECT_FALSE(of_result(R"({"structuredContent":{"isError":true}})").failed());
  EXPECT_EQ(of_result(R"({"content":[],"isError":true})").plane(), Plane::tool);
}

TEST(Outcome, AnErrorOfTheProtocolKeepsItsCode) {
  const auto refused = of_error({.kind = ErrorKind::refused, .message = "no", .code = -32602});
  EXPECT_EQ(refused.transport, "ok");
  EXPECT_EQ(refused.code, -32602);
  EXPECT_EQ(refused.plane(), Plane::protocol);
}

TEST(Outcome, TheWayThatFailedIsNamed) {
  EXPECT_EQ(of_error({.kind = ErrorKind::closed, .message = "gone"}).transport, "closed");
  EXPECT_EQ(of_error({.kind = ErrorKind::timeout, .message = "late"}).transport, "timeout");
  EXPECT_EQ(of_error({.kind = ErrorKind::malformed, .message = "what?"}).transport, "malformed");
  EXPECT_EQ(of_error({.kind = ErrorKind::closed, .message = "gone"}).plane(), Plane::transport);
}

TEST(Outcome, TheSameWhereTheGatewayHasPutItIntoWords) {
  EXPECT_EQ(of_error(told_of(R"({"source":"gateway","outcome":"not made","reason":"unreachable"})")).transport,
            "closed");
  EXPECT_EQ(of_error(told_of(R"({"source":"gateway","outcome":"unknown","reason":"timeout"})")).transport, "timeout");
  EXPECT_EQ(of_error(told_of(R"({"source":"gateway","outcome":"unknown","reason":"malformed"})")).transport,
            "malformed");
  EXPECT_EQ(of_error(told_of(R"({"source":"gateway","outcome":"not made","reason":"rate limit"})")).plane(),
            Plane::protocol);
  EXPECT_EQ(of_error(told_of(R"({"source":"elsewhere","outcome":"unknown"})")).plane(), Plane::protocol);
}

TEST(Outcome, WhoGivesUpIsNoFailureOfTheServers) {
  EXPECT_EQ(of_error({.kind = ErrorKind::cancelled, .message = "enough"}).plane(), Plane::caller);
  EXPECT_EQ(given_up().plane(), Plane::caller);
}

TEST(Outcome, SecretsAreNotInItsMessage) {
  const auto told = of_error({.kind = ErrorKind::refused, .message = "bad password=hunter2-and-more", .code = -1});
  EXPECT_EQ(told.message.find("hunter2"), std::string::npos) << told.message;
  EXPECT_EQ(told.message.find("bad"), 0U);
}

}  // namespace
}  // namespace fairlead::gateway::test::observe_outcome_test
