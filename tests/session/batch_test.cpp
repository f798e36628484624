#include <gtest/gtest.h>

#include "session/conversation.hpp"

namespace fairlead::session::batch_test {
namespace {

void shake_hands(Talk& talk, const std::string& revision) {
  talk.say(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + revision + R"("}})");
  talk.heard();
}

TEST(Batches, AreAnsweredTogether_S2_03b) {
  Talk talk;
  shake_hands(talk, "2025-03-26");
  talk.say(R"([{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/initialized"},
               {"jsonrpc":"2.0","id":2,"method":"ping"}, 7])");
  EXPECT_EQ(
      talk.heard(),
      R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}},)"
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":"a message is an object"}}])");
}

TEST(Batches, OfNotificationsGetNoAnswer) {
  Talk talk;
  shake_hands(talk, "2025-03-26");
  talk.say(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  EXPECT_EQ(talk.heard(), "");
}

TEST(Batches, WaitForTheirSlowest) {
  Talk talk;
  shake_hands(talk, "2025-03-26");
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    if (call.method == "tools/call") co_await gate->wait(false);
    co_return Reply{};
  };
  talk.say(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}])");
  EXPECT_EQ(talk.heard(), "");
  gate->set(true);
  talk.settle();
  EXPECT_EQ(talk.heard(), R"([{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}])");
}

TEST(Batches, AreNotHeldUpByACancelledRequest) {
  Talk talk;
  shake_hands(talk, "2025-03-26");
  const auto gate = std::make_shared<Promise<bool>>();
  talk.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    if (call.method == "tools/call") co_await gate->wait(false);
    co_return Reply{};
  };
  talk.say(R"([{"jsonrpc":"2.0","id":1,"method":"tools/call"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}])");
  talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(talk.heard(), R"([{"jsonrpc":"2.0","id":2,"result":{}}])");
}

TEST(Batches, MustNotShakeHands) {
  Talk talk;
  talk.say(R"([{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}])");
  EXPECT_NE(talk.heard().find("initialize must not be part of a batch"), std::string::npos);
}

TEST(Batches, AreRefusedWhereTheRevisionHasNone) {
  for (const auto* revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    Talk talk;
    shake_hands(talk, revision);
    talk.say(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])");
    EXPECT_NE(talk.heard().find("-32600"), std::string::npos) << revision;
  }
}

}  // namespace
}  // namespace fairlead::session::batch_test
