#include "gateway/model/outcome.hpp"

#include <fairlead/protocol/protocol_error.hpp>
#include <gtest/gtest.h>

#include "gateway/model/gateway_error.hpp"

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

/// The error of the gateway for a failed server.
Error error_with_data(const std::string& data) {
  return {.kind = ErrorKind::refused, .message = "no", .code = -32603, .data = data};
}

TEST(Outcome, AResultIsOkUnlessIsError) {
  EXPECT_FALSE(of_result(R"({"content":[]})").failed());
  EXPECT_FALSE(of_result(R"({"content":[],"isError":false})").failed());
  EXPECT_FALSE(of_result(R"({"structuredContent":{"isError":true}})").failed());
  EXPECT_EQ(of_result(R"({"content":[],"isError":true})").plane(), Plane::tool);
}

TEST(Outcome, ProtocolErrorsKeepTheirCode) {
  const auto refused = of_error({.kind = ErrorKind::refused, .message = "no", .code = -32602});
  EXPECT_EQ(refused.transport, "ok");
  EXPECT_EQ(refused.code, -32602);
  EXPECT_EQ(refused.plane(), Plane::protocol);
}

TEST(Outcome, NamesTheTransportFailure) {
  EXPECT_EQ(of_error({.kind = ErrorKind::closed, .message = "gone"}).transport, "closed");
  EXPECT_EQ(of_error({.kind = ErrorKind::timeout, .message = "late"}).transport, "timeout");
  EXPECT_EQ(of_error({.kind = ErrorKind::malformed, .message = "what?"}).transport, "malformed");
  EXPECT_EQ(of_error({.kind = ErrorKind::closed, .message = "gone"}).plane(), Plane::transport);
}

TEST(Outcome, ClassifiesErrorsOfTheGateway) {
  EXPECT_EQ(of_error(error_with_data(R"({"source":"gateway","outcome":"not made","reason":"unreachable"})")).transport,
            "closed");
  EXPECT_EQ(of_error(error_with_data(R"({"source":"gateway","outcome":"unknown","reason":"timeout"})")).transport,
            "timeout");
  EXPECT_EQ(of_error(error_with_data(R"({"source":"gateway","outcome":"unknown","reason":"malformed"})")).transport,
            "malformed");
  EXPECT_EQ(of_error(error_with_data(R"({"source":"gateway","outcome":"not made","reason":"rate limit"})")).plane(),
            Plane::protocol);
  EXPECT_EQ(of_error(error_with_data(R"({"source":"elsewhere","outcome":"unknown"})")).plane(), Plane::protocol);
}

TEST(Outcome, CancellationIsNotAServerFailure) {
  EXPECT_EQ(of_error({.kind = ErrorKind::cancelled, .message = "enough"}).plane(), Plane::caller);
  EXPECT_EQ(cancelled_outcome().plane(), Plane::caller);
}

TEST(Outcome, RedactsTheMessage) {
  const auto classified =
      of_error({.kind = ErrorKind::refused, .message = "bad password=hunter2-and-more", .code = -1});
  EXPECT_EQ(classified.message.find("hunter2"), std::string::npos) << classified.message;
  EXPECT_EQ(classified.message.find("bad"), 0U);
}

}  // namespace
}  // namespace fairlead::gateway::test::observe_outcome_test
