#include <fairlead/transport/websocket_server.hpp>

#include <gtest/gtest.h>

#include "support/endpoint_bench.hpp"
#include "support/fake_websocket.hpp"
#include "transport/tool_envelope.hpp"

namespace fairlead::transport::websocket_server_test {
namespace {

using namespace test;
using Texts = std::vector<std::string>;

struct Sockets : EndpointBench<WebSocketServer> {
  Sockets() : EndpointBench([](Loop, Host& host) { return std::make_unique<WebSocketServer>(host); }) {}

  Going connect(std::string subprotocol = {}, std::string principal = {}) {
    auto exchange = std::make_shared<FakeExchange>(loop().loop(), "GET", "/ws");
    exchange->request().principal = std::move(principal);
    exchange->accept_upgrade(std::make_unique<FakeWebSocket>(far, std::move(subprotocol)));
    return start(std::move(exchange));
  }
  void hear(std::string text) {
    far.say(std::move(text));
    loop().poll();
  }

  FarSocket far{loop().loop()};
};

constexpr auto ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr auto frame = R"({"id":7,"name":"add","arguments":{"a":1}})";

TEST(WebSocketServer, S1_40_MessagesGoBothWaysOnceItIsOpen) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp", "ann");
  EXPECT_EQ(socket->offered(), Texts{"mcp"});
  sockets.hear(ping);
  EXPECT_EQ(sockets.host().talk().heard, Texts{ping});
  EXPECT_EQ(sockets.host().talk().guest.principal, "ann");
  sockets.say(result(1));
  sockets.say(notice("n"));
  EXPECT_EQ(sockets.far.heard, (Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","method":"n"})"}));
}

FakeHost::Replies echo(const jsonrpc::Request& request) {
  FakeHost::Replies replies;
  replies.push_back({result(request.id)});
  return replies;
}

TEST(WebSocketServer, AnswersToWhatArrivedTogetherLeaveTogether) {
  Sockets sockets;
  sockets.host().on("ping", echo);
  const auto socket = sockets.connect("mcp");
  sockets.hear(ping);
  sockets.far.say(ping);
  sockets.far.say(ping);
  sockets.hear(ping);
  EXPECT_EQ(sockets.far.writes, (std::vector<std::size_t>{1, 3}));
}

TEST(WebSocketServer, WhatIsSaidInOneTurnLeavesTogether) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  for (const auto* name : {"a", "b", "c"}) {
    Outgoing told{notice(name)};
    EXPECT_TRUE(sockets.host().talk().transport->send_now(told));
  }
  EXPECT_TRUE(sockets.far.heard.empty());
  sockets.loop().poll();
  EXPECT_EQ(sockets.far.writes, std::vector<std::size_t>{3});
}

TEST(WebSocketServer, WhoDoesNotReadIsWaitedFor) {
  Sockets sockets;
  sockets.host().on("ping", echo);
  const auto socket = sockets.connect("mcp");
  Outgoing told{notice("a")};
  EXPECT_TRUE(sockets.host().talk().transport->send_now(told));
  sockets.far.stuck = true;
  sockets.loop().poll();
  Outgoing later{notice("b")};
  EXPECT_FALSE(sockets.host().talk().transport->send_now(later));
  EXPECT_EQ(std::get<jsonrpc::Notification>(later.message).method, "b");
  sockets.far.stuck = false;
  sockets.far.bell.ring();
  sockets.loop().poll();
  EXPECT_EQ(sockets.far.heard, Texts{R"({"jsonrpc":"2.0","method":"a"})"});
}

TEST(WebSocketServer, SaysThatItGoesAwayWhenItDoes) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  socket->leave();
  sockets.loop().poll();
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.far.code, http::close_code::going_away);
}

TEST(WebSocketServer, ARequestThatIsNoHandshakeReachesNobody) {
  Sockets sockets;
  const auto socket = sockets.start("GET", "/ws", {});
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.host().talks(), 0u);
}

TEST(WebSocketServer, S1_41_AFrameWithoutAMethodIsAToolCall) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.hear(frame);
  EXPECT_EQ(sockets.host().talk().heard,
            Texts{R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}})"});
}

TEST(WebSocketServer, S1_42_ItsReplyIsAToolResponseOfTheSameId) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.hear(frame);
  sockets.say(result(7, R"({"resultType":"complete","content":[]})"), 7);
  EXPECT_EQ(sockets.far.heard, Texts{R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":""}]}})"});
  EXPECT_TRUE(check_tool_response(sockets.far.heard[0]));
}

TEST(WebSocketServer, S1_48_WhatIsWrongIsToldAsAToolError) {
  for (const auto* bad : {R"({"name":"add"})", R"({"id":7,"name":"add","arguments":1})", R"({"id":7,"name":""})"}) {
    Sockets sockets;
    const auto socket = sockets.connect();
    sockets.hear(bad);
    ASSERT_EQ(sockets.host().talk().heard.size(), 1u) << bad;
    const auto told = sockets.host().talk().heard[0];
    ASSERT_TRUE(told.starts_with("!")) << told;
    EXPECT_TRUE(check_tool_error(told.substr(1))) << told;
  }
}

TEST(WebSocketServer, UnderTheSubprotocolThereAreNoToolFrames) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  sockets.hear(frame);
  EXPECT_TRUE(sockets.host().talk().heard.at(0).starts_with("!"));
}

TEST(WebSocketServer, S1_45_APingInJsonIsAnswered) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.hear(R"({"type":"ping"})");
  EXPECT_EQ(sockets.far.heard, Texts{R"({"type":"pong"})"});
  EXPECT_TRUE(sockets.host().talk().heard.empty());
}

TEST(WebSocketServer, AJsonRpcResultIsLeftAsItIs) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.hear(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}})");
  sockets.say(result(7, R"({"resultType":"complete","content":[]})"), 7);
  EXPECT_EQ(sockets.far.heard, Texts{R"({"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}})"});
}

TEST(WebSocketServer, TheConversationEndsWhenTheClientDoes) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  sockets.far.hang_up();
  sockets.loop().poll();
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.far.code, http::close_code::normal);
}

TEST(WebSocketServer, S1_48b_AFailureOfOursCloses1011) {
  Sockets sockets;
  sockets.host().on("explode",
                    [](const jsonrpc::Request&) -> FakeHost::Replies { throw std::runtime_error("secret"); });
  const auto socket = sockets.connect("mcp");
  sockets.hear(R"({"jsonrpc":"2.0","id":1,"method":"explode"})");
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.far.code, http::close_code::internal_error);
}

TEST(WebSocketServer, Finding_S7_AClientThatDoesNotReadItsAnswersIsNotReadEither) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  auto& talk = sockets.host().talk();
  talk.behind = true;
  for (int i = 0; i < 100; ++i) sockets.far.say(ping);
  sockets.loop().poll();
  EXPECT_EQ(talk.heard.size(), 0U);
  talk.behind = false;
  ASSERT_TRUE(talk.caught_up);
  talk.caught_up->set(true);
  sockets.loop().poll();
  EXPECT_EQ(talk.heard.size(), 100U);
}

}  // namespace
}  // namespace fairlead::transport::websocket_server_test
