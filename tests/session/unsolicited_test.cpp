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

}  // namespace
}  // namespace fairlead::session::unsolicited_test
