#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

namespace fairlead::session::batch_test {
namespace {

void shake_hands(SessionFixture& fixture, const std::string& revision) {
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + revision +
                     R"("}})");
  fixture.sent_to_peer();
}

TEST(Batch, RespondsTogether_S2_03b) {
  SessionFixture fixture;
  shake_hands(fixture, "2025-03-26");
  fixture.peer_sends(
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/initialized"},
               {"jsonrpc":"2.0","id":2,"method":"ping"}, 7])");
  EXPECT_EQ(
      fixture.sent_to_peer(),
      R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}},)"
      R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":"a message is an object"}}])");
}

TEST(Batch, OfNotificationsHasNoResponse) {
  SessionFixture fixture;
  shake_hands(fixture, "2025-03-26");
  fixture.peer_sends(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  EXPECT_EQ(fixture.sent_to_peer(), "");
}

TEST(Batch, WaitsForTheSlowestRequest) {
  SessionFixture fixture;
  shake_hands(fixture, "2025-03-26");
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    if (call.method == "tools/call") {
      const auto is_set = co_await gate->wait();
      if (is_set) co_await next_turn;
    }
    co_return Reply{};
  };
  fixture.peer_sends(
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}])");
  EXPECT_EQ(fixture.sent_to_peer(), "");
  gate->set(true);
  fixture.run_ready();
  EXPECT_EQ(fixture.sent_to_peer(), R"([{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}])");
}

TEST(Batch, CancelledRequestDoesNotDelayTheResponse) {
  SessionFixture fixture;
  shake_hands(fixture, "2025-03-26");
  const auto gate = std::make_shared<Promise<bool>>();
  fixture.service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    if (call.method == "tools/call") {
      const auto is_set = co_await gate->wait();
      if (is_set) co_await next_turn;
    }
    co_return Reply{};
  };
  fixture.peer_sends(
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}])");
  fixture.peer_sends(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(fixture.sent_to_peer(), R"([{"jsonrpc":"2.0","id":2,"result":{}}])");
}

TEST(Batch, RejectsInitialize) {
  SessionFixture fixture;
  fixture.peer_sends(R"([{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}])");
  EXPECT_NE(fixture.sent_to_peer().find("initialize must not be part of a batch"), std::string::npos);
}

TEST(Batch, IsRejectedInRevisionsWithoutBatches) {
  for (const auto* revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    SessionFixture fixture;
    shake_hands(fixture, revision);
    fixture.peer_sends(R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])");
    EXPECT_NE(fixture.sent_to_peer().find("-32600"), std::string::npos) << revision;
  }
}

}  // namespace
}  // namespace fairlead::session::batch_test
