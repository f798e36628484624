#include <gtest/gtest.h>

#include "session/conversation.hpp"

/// What a server says to a client unasked.
namespace fairlead::session::unsolicited_test {
namespace {

SessionOptions client() {
  SessionOptions options;
  options.side = Side::client;
  return options;
}

Call list() {
  return {.method = "tools/list"};
}

TEST(Unsolicited, S1_45_APingIsAnsweredAndANotificationPassedOn) {
  Talk talk(client());
  talk.say(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  EXPECT_EQ(talk.heard(), R"({"jsonrpc":"2.0","id":"p","result":{}})");
  talk.say(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  EXPECT_EQ(talk.service.notices, std::vector<std::string>{"notifications/tools/list_changed"});
  EXPECT_EQ(talk.heard(), "");
}

TEST(Unsolicited, S1_46_WhatNobodyKnowsIsIgnoredAndTheCallGoesOn) {
  Talk talk(client());
  const auto result = talk.ask(list());
  talk.heard();
  for (const auto* strange :
       {R"({"jsonrpc":"2.0","method":"notification"})", R"({"jsonrpc":"2.0","method":"vendor/news","params":[1]})",
        R"({"jsonrpc":"2.0","id":99,"result":{}})", R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}})",
        R"({"type":"heartbeat"})", "starting up…", "", "[]", "{\"jsonrpc\":"}) {
    talk.say(strange);
    EXPECT_EQ(talk.heard().find("\"result\""), std::string::npos) << strange;
    EXPECT_FALSE(*result) << strange;
    EXPECT_FALSE(talk.ended) << strange;
  }
  talk.say(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})");
  ASSERT_TRUE(*result);
  EXPECT_EQ((**result)->body.text(), R"({"tools":[]})");
}

TEST(Unsolicited, AMethodThatNoClientHasIsRefusedByName) {
  Talk talk(client());
  talk.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})");
  EXPECT_EQ(talk.heard().find("closed"), std::string::npos);
  EXPECT_FALSE(talk.ended);
}

TEST(Unsolicited, Finding_S13_AnAnswerThatCannotBeReadEndsItsCall) {
  for (const auto* bad : {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\xff\xfe\"}}",
                          R"({"jsonrpc":"2.0","id":1,"result":{},"result":{"again":1}})",
                          R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}})",
                          R"({"jsonrpc":"1.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":1,"error":"no"})",
                          R"({"jsonrpc":"2.0","id":1,"result":{)"}) {
    Talk talk(client());
    const auto result = talk.ask(list());
    const auto other = talk.ask(list());
    talk.heard();
    talk.say(bad);
    ASSERT_TRUE(*result) << bad;
    ASSERT_FALSE(result->value()) << bad;
    EXPECT_EQ((*result)->error().kind, ErrorKind::malformed) << bad;
    EXPECT_NE((*result)->error().message.find("no JSON-RPC 2.0"), std::string::npos) << (*result)->error().message;
    EXPECT_FALSE(*other) << bad;
    EXPECT_EQ(talk.heard(), "") << bad;
    EXPECT_FALSE(talk.ended) << bad;
  }
}

TEST(Unsolicited, Finding_S13_SoDoesOneInABatch) {
  Talk talk(client());
  talk.session.adopt(*protocol::find_revision("2025-03-26"), {});
  const auto result = talk.ask(list());
  talk.heard();
  talk.say(R"([{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}])");
  ASSERT_TRUE(*result);
  EXPECT_EQ((*result)->error().kind, ErrorKind::malformed);
  EXPECT_EQ(talk.heard(), "");
}

}  // namespace
}  // namespace fairlead::session::unsolicited_test
