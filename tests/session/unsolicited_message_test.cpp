#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Unsolicited messages of a server.
namespace fairlead::session::unsolicited_message_test {
namespace {

SessionOptions client() {
  SessionOptions options;
  options.side = Side::client;
  return options;
}

Call list() {
  return {.method = "tools/list"};
}

TEST(UnsolicitedMessage, S1_45_AnswersPingAndForwardsNotification) {
  SessionFixture fixture(client());
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  EXPECT_EQ(fixture.sent_to_peer(), R"({"jsonrpc":"2.0","id":"p","result":{}})");
  fixture.peer_sends(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
  EXPECT_EQ(fixture.service.notices, std::vector<std::string>{"notifications/tools/list_changed"});
  EXPECT_EQ(fixture.sent_to_peer(), "");
}

TEST(UnsolicitedMessage, S1_46_IgnoresUnknownNotifications) {
  SessionFixture fixture(client());
  const auto result = fixture.call_peer(list());
  fixture.sent_to_peer();
  for (const auto* unexpected :
       {R"({"jsonrpc":"2.0","method":"notification"})", R"({"jsonrpc":"2.0","method":"vendor/news","params":[1]})",
        R"({"jsonrpc":"2.0","id":99,"result":{}})", R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}})",
        R"({"type":"heartbeat"})", "starting up…", "", "[]", "{\"jsonrpc\":"}) {
    fixture.peer_sends(unexpected);
    EXPECT_EQ(fixture.sent_to_peer().find("\"result\""), std::string::npos) << unexpected;
    EXPECT_FALSE(*result) << unexpected;
    EXPECT_FALSE(fixture.ended) << unexpected;
  }
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})");
  ASSERT_TRUE(*result);
  EXPECT_EQ((**result)->body.text(), R"({"tools":[]})");
}

TEST(UnsolicitedMessage, RejectsUnknownMethods) {
  SessionFixture fixture(client());
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})");
  EXPECT_EQ(fixture.sent_to_peer().find("closed"), std::string::npos);
  EXPECT_FALSE(fixture.ended);
}

TEST(UnsolicitedMessage, Finding_S13_InvalidResponseFailsItsCall) {
  for (const auto* bad : {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"\xff\xfe\"}}",
                          R"({"jsonrpc":"2.0","id":1,"result":{},"result":{"again":1}})",
                          R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}})",
                          R"({"jsonrpc":"1.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":1,"error":"no"})",
                          R"({"jsonrpc":"2.0","id":1,"result":{)"}) {
    SessionFixture fixture(client());
    const auto result = fixture.call_peer(list());
    const auto other = fixture.call_peer(list());
    fixture.sent_to_peer();
    fixture.peer_sends(bad);
    ASSERT_TRUE(*result) << bad;
    ASSERT_FALSE(result->value()) << bad;
    EXPECT_EQ((*result)->error().kind, ErrorKind::malformed) << bad;
    EXPECT_NE((*result)->error().message.find("invalid JSON-RPC 2.0"), std::string::npos) << (*result)->error().message;
    EXPECT_FALSE(*other) << bad;
    EXPECT_EQ(fixture.sent_to_peer(), "") << bad;
    EXPECT_FALSE(fixture.ended) << bad;
  }
}

TEST(UnsolicitedMessage, Finding_S13_InvalidResponseInABatchFailsItsCall) {
  SessionFixture fixture(client());
  fixture.session.adopt(*protocol::find_revision("2025-03-26"), {});
  const auto result = fixture.call_peer(list());
  fixture.sent_to_peer();
  fixture.peer_sends(R"([{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}])");
  ASSERT_TRUE(*result);
  EXPECT_EQ((*result)->error().kind, ErrorKind::malformed);
  EXPECT_EQ(fixture.sent_to_peer(), "");
}

}  // namespace
}  // namespace fairlead::session::unsolicited_message_test
