#include <gtest/gtest.h>

#include "session/conversation.hpp"

/// Which revision a conversation speaks, found out from how it opens.
namespace fairlead::session::lifecycle_test {
namespace {

std::string stateless(int id, const std::string& method, const std::string& version = "2026-07-28") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":")" + version +
         R"(","io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}}})";
}

std::string initialize(const std::string& version) {
  return R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + version +
         R"(","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}})";
}

constexpr auto list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";

TEST(Opening, SettlesTheRevisionByHandshake) {
  Talk talk;
  std::string served;
  talk.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    served = call.context.revision->name;
    EXPECT_TRUE(call.context.caller->capabilities.roots);
    EXPECT_EQ(call.context.caller->info->name, "c");
    co_return Reply{};
  };
  talk.say(initialize("2025-06-18"));
  EXPECT_EQ(served, "2025-06-18");
  talk.say(list);
  EXPECT_EQ(served, "2025-06-18");
  EXPECT_EQ(talk.session.revision()->name, "2025-06-18");
}

TEST(Opening, AcceptsTheSmallestHandshake_S0_11) {
  Talk talk;
  talk.say(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}})");
  EXPECT_NE(talk.heard().find("\"result\""), std::string::npos);
}

TEST(Opening, AssumesARevisionWhereNoneIsNamed) {
  Talk talk;
  talk.say(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");
  EXPECT_EQ(talk.session.revision()->name, "2025-03-26");
}

TEST(Opening, ServesAStatelessRequestForItself) {
  Talk talk;
  talk.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    EXPECT_EQ(call.context.revision->name, "2026-07-28");
    EXPECT_TRUE(call.context.caller->capabilities.sampling);
    EXPECT_EQ(call.params.text(), "{}");
    co_return Reply{.body = json::Payload::trusted(R"({"tools":[]})")};
  };
  talk.say(stateless(1, "tools/list"));
  EXPECT_EQ(
      talk.heard(),
      R"({"jsonrpc":"2.0","id":1,"result":{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}})");
}

TEST(Opening, IsNotDecidedByDiscovery) {
  Talk talk;
  talk.say(stateless(1, "server/discover"));
  EXPECT_NE(talk.heard().find("resultType"), std::string::npos);
  talk.say(initialize("2025-11-25"));
  EXPECT_EQ(talk.heard().find("error"), std::string::npos);
}

TEST(Opening, RefusesAHandshakeAfterStatelessRequests) {
  Talk talk;
  talk.say(stateless(1, "tools/list"));
  talk.heard();
  talk.say(initialize("2025-11-25"));
  EXPECT_NE(talk.heard().find(R"("code":-32022)"), std::string::npos);
}

TEST(Opening, NamesTheRevisionsItServes) {
  Talk talk;
  talk.say(stateless(1, "tools/list", "1999-01-01"));
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version",)"
                          R"("data":{"supported":["2026-07-28"],"requested":"1999-01-01"}}})");
}

TEST(Opening, RefusesWhatTheRevisionDoesNotKnow) {
  Talk talk;
  talk.say(stateless(1, "logging/setLevel"));
  EXPECT_NE(talk.heard().find("-32601"), std::string::npos);
  talk.say(R"({"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{}})");
  EXPECT_NE(talk.heard().find("-3260"), std::string::npos);
}

TEST(Opening, LetsExtensionsThrough) {
  Talk talk;
  talk.say(R"({"jsonrpc":"2.0","id":1,"method":"vendor/thing","params":{}})");
  EXPECT_EQ(talk.service.calls, std::vector<std::string>{"vendor/thing"});
}

TEST(Opening, IsRefusedWithoutHandshakeWhereThatIsStrict_S3_05) {
  Talk talk({.lifecycle = Lifecycle::strict});
  talk.say(list);
  EXPECT_EQ(
      talk.heard(),
      R"({"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid Request","data":"send initialize before tools/list"}})");
  talk.say(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":3,"result":{}})");
  talk.say(initialize("2025-11-25"));
  talk.heard();
  talk.say(list);
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST(Opening, NeedsNoHandshakeWhereThatIsLenient_S3_04) {
  Talk talk;
  talk.say(list);
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":2,"result":{}})");
}

TEST(Opening, KnowsOtherNames_S4_02_S4_17) {
  Talk talk({.lifecycle = Lifecycle::strict});
  std::string spelled;
  talk.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    spelled = call.context.spelled + " " + call.method;
    co_return Reply{};
  };
  talk.say(R"({"jsonrpc":"2.0","method":"mcp/discover","id":1})");
  EXPECT_EQ(spelled, "mcp/discover server/discover");
  talk.say(R"({"jsonrpc":"2.0","method":"mcp/initialize","id":2,"params":{}})");
  EXPECT_EQ(spelled, "mcp/initialize initialize");
  EXPECT_EQ(talk.session.dialect(), protocol::Dialect::jsonrpc);
}

}  // namespace
}  // namespace fairlead::session::lifecycle_test
