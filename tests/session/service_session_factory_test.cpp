#include <fairlead/session/service_session_factory.hpp>

#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Requests that do not arrive through the transport of a session.
namespace fairlead::session::service_session_factory_test {
namespace {

constexpr auto plain = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})";
constexpr auto enveloped = R"({"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"a","_meta":{)"
                           R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                           R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

jsonrpc::Request read(std::string text) {
  return std::get<jsonrpc::Request>(std::get<jsonrpc::Message>(*jsonrpc::read(std::move(text))));
}

std::optional<Result<Reply>> at_once(Call& call) {
  return Reply{.body = json::Payload::trusted(R"({"content":[],"for":")" + call.context.principal + "\"}")};
}

std::string written(const std::optional<jsonrpc::Message>& message) {
  return message ? jsonrpc::write(*message) : "";
}

TEST(AnswerNow, ReturnsTheSameResponseAsTheSession) {
  SessionFixture fixture({.principal = "ann"});
  fixture.service.on_call_now = at_once;
  auto request = read(plain);
  EXPECT_EQ(written(fixture.session.answer_now(request)),
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"for":"ann"}})");
  EXPECT_EQ(fixture.sent_to_peer(), "");
}

TEST(AnswerNow, LeavesASlowRequestUnchanged) {
  SessionFixture fixture;
  for (const auto* text : {plain, enveloped}) {
    auto request = read(text);
    EXPECT_EQ(fixture.session.answer_now(request), std::nullopt);
    EXPECT_EQ(request, read(text));
  }
}

TEST(AnswerNow, LeavesAnAliasUnchanged) {
  SessionFixture fixture;
  auto request = read(R"({"jsonrpc":"2.0","id":1,"method":"mcp/discover"})");
  EXPECT_EQ(fixture.session.answer_now(request), std::nullopt);
  EXPECT_EQ(request.method, "mcp/discover");
}

TEST(AnswerNow, RejectsAnIdInUse) {
  SessionFixture fixture;
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call&) -> Task<Result<Reply>> {
    const auto is_set = co_await gate->wait();
    if (is_set) co_await next_turn;
    co_return Reply{.body = json::Payload::trusted("{}")};
  };
  fixture.peer_sends(plain);
  auto request = read(plain);
  EXPECT_NE(written(fixture.session.answer_now(request)).find("in use by a pending request"), std::string::npos);
  gate->set(true);
  fixture.run_ready();
}

TEST(AnswerNow, ReturnsNothingAfterTheSessionEnds) {
  SessionFixture fixture;
  fixture.service.on_call_now = at_once;
  fixture.close();
  auto request = read(plain);
  EXPECT_EQ(fixture.session.answer_now(request), std::nullopt);
}

class StatelessRequest : public testing::Test {
 protected:
  CapturingSink log;
  TestService service;
  ServiceSessionFactory factory{service};
  transport::PeerInfo peer{.principal = "ann"};
};

TEST_F(StatelessRequest, IsAnsweredWithoutASession) {
  service.on_call_now = at_once;
  auto request = read(enveloped);
  EXPECT_EQ(written(factory.answer_now(request, peer)),
            R"({"jsonrpc":"2.0","id":"x","result":{"content":[],"for":"ann","resultType":"complete"}})");
}

TEST_F(StatelessRequest, ReturnsNothingIfTheServiceMustWait) {
  auto request = read(enveloped);
  EXPECT_EQ(factory.answer_now(request, peer), std::nullopt);
}

TEST(ToolOnlyClient, NeedsNoHandshake) {
  CapturingSink log;
  TestService service;
  service.on_call_now = at_once;
  ServiceSessionFactory factory(service, {.handshake = HandshakePolicy::strict});
  auto request = read(plain);
  EXPECT_NE(written(factory.answer_now(request, {})).find("send initialize before"), std::string::npos);
  request = read(plain);
  EXPECT_NE(written(factory.answer_now(request, {.tool_calls_only = true})).find("content"), std::string::npos);
}

TEST_F(StatelessRequest, DoesNotSendExceptionTexts) {
  service.on_call_now = [](Call&) -> std::optional<Result<Reply>> { throw std::runtime_error("/etc/secret"); };
  auto request = read(enveloped);
  const auto answer = written(factory.answer_now(request, peer));
  EXPECT_NE(answer.find("-32603"), std::string::npos);
  EXPECT_EQ(answer.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::session::service_session_factory_test
