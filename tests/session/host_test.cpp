#include <fairlead/session/host.hpp>

#include <gtest/gtest.h>

#include "session/conversation.hpp"

/// How requests are answered that come by another way than a session's transport.
namespace fairlead::session::host_test {
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

TEST(AnswerNow, GivesWhatTheSessionWouldHaveSent) {
  Talk talk({.principal = "ann"});
  talk.service.on_call_now = at_once;
  auto request = read(plain);
  EXPECT_EQ(written(talk.session.answer_now(request)),
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"for":"ann"}})");
  EXPECT_EQ(talk.heard(), "");
}

TEST(AnswerNow, LeavesASlowRequestAsItWas) {
  Talk talk;
  for (const auto* text : {plain, enveloped}) {
    auto request = read(text);
    EXPECT_EQ(talk.session.answer_now(request), std::nullopt);
    EXPECT_EQ(request, read(text));
  }
}

TEST(AnswerNow, LeavesAnAliasAsItWasSpelled) {
  Talk talk;
  auto request = read(R"({"jsonrpc":"2.0","id":1,"method":"mcp/discover"})");
  EXPECT_EQ(talk.session.answer_now(request), std::nullopt);
  EXPECT_EQ(request.method, "mcp/discover");
}

TEST(AnswerNow, RefusesAnIdStillUnderWay) {
  Talk talk;
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call&) -> Task<Result<Reply>> {
    co_await gate->wait(false);
    co_return Reply{.body = json::Payload::trusted("{}")};
  };
  talk.say(plain);
  auto request = read(plain);
  EXPECT_NE(written(talk.session.answer_now(request)).find("still under way"), std::string::npos);
  gate->set(true);
  talk.settle();
}

TEST(AnswerNow, IsSilentOnceTheSessionEnds) {
  Talk talk;
  talk.service.on_call_now = at_once;
  talk.close();
  auto request = read(plain);
  EXPECT_EQ(talk.session.answer_now(request), std::nullopt);
}

class StatelessGuest : public testing::Test {
 protected:
  CapturingSink log;
  TestService service;
  SessionHost host{service, log};
  transport::Guest guest{.principal = "ann"};
};

TEST_F(StatelessGuest, IsAnsweredWithoutASession) {
  service.on_call_now = at_once;
  auto request = read(enveloped);
  EXPECT_EQ(written(host.answer_now(request, guest)),
            R"({"jsonrpc":"2.0","id":"x","result":{"content":[],"for":"ann","resultType":"complete"}})");
}

TEST_F(StatelessGuest, WaitsWhereTheServiceHasTo) {
  auto request = read(enveloped);
  EXPECT_EQ(host.answer_now(request, guest), std::nullopt);
}

TEST(ToolCaller, NeedsNoHandshakeEvenWhereOthersDo) {
  CapturingSink log;
  TestService service;
  service.on_call_now = at_once;
  SessionHost host(service, log, {.lifecycle = Lifecycle::strict});
  auto request = read(plain);
  EXPECT_NE(written(host.answer_now(request, {})).find("send initialize before"), std::string::npos);
  request = read(plain);
  EXPECT_NE(written(host.answer_now(request, {.tool_calls_only = true})).find("content"), std::string::npos);
}

TEST_F(StatelessGuest, LearnsOfAnExceptionOnlyThatThereWasOne) {
  service.on_call_now = [](Call&) -> std::optional<Result<Reply>> { throw std::runtime_error("/etc/secret"); };
  auto request = read(enveloped);
  const auto answer = written(host.answer_now(request, guest));
  EXPECT_NE(answer.find("-32603"), std::string::npos);
  EXPECT_EQ(answer.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace fairlead::session::host_test
