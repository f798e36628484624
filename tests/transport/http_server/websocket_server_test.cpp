#include <fairlead/transport/websocket_server.hpp>

#include <gtest/gtest.h>

#include "support/endpoint_bench.hpp"
#include "support/fake_websocket.hpp"
#include "transport/tool_call_schema.hpp"

namespace fairlead::transport::websocket_server_test {
namespace {

using namespace test;
using Texts = std::vector<std::string>;

struct Sockets : EndpointBench<WebSocketServer> {
  Sockets()
      : EndpointBench([](EventLoop, SessionFactory& factory) { return std::make_unique<WebSocketServer>(factory); }) {}

  ActiveRequest connect(std::string subprotocol = {}, std::string principal = {}) {
    auto exchange = std::make_shared<FakeExchange>(loop().loop(), "GET", "/ws");
    exchange->request().principal = std::move(principal);
    exchange->accept_upgrade(std::make_unique<FakeWebSocket>(far, std::move(subprotocol)));
    return start(std::move(exchange));
  }
  void client_sends(std::string text) {
    far.deliver(std::move(text));
    loop().poll();
  }

  FarSocket far{loop().loop()};
};

constexpr auto ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr auto frame = R"({"id":7,"name":"add","arguments":{"a":1}})";

TEST(WebSocketServer, S1_40_TransfersMessagesInBothDirections) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp", "ann");
  EXPECT_EQ(socket->offered(), Texts{"mcp"});
  sockets.client_sends(ping);
  EXPECT_EQ(sockets.factory().session().received, Texts{ping});
  EXPECT_EQ(sockets.factory().session().peer.principal, "ann");
  sockets.send_to_client(result(1));
  sockets.send_to_client(notice("n"));
  EXPECT_EQ(sockets.far.received,
            (Texts{R"({"jsonrpc":"2.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","method":"n"})"}));
}

FakeSessionFactory::Replies echo(const jsonrpc::Request& request) {
  FakeSessionFactory::Replies replies;
  replies.push_back({result(request.id)});
  return replies;
}

TEST(WebSocketServer, WritesResponsesTogether) {
  Sockets sockets;
  sockets.factory().on("ping", echo);
  const auto socket = sockets.connect("mcp");
  sockets.client_sends(ping);
  sockets.far.deliver(ping);
  sockets.far.deliver(ping);
  sockets.client_sends(ping);
  EXPECT_EQ(sockets.far.writes, (std::vector<std::size_t>{1, 3}));
}

TEST(WebSocketServer, WritesMessagesOfOneTurnTogether) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  for (const auto* name : {"a", "b", "c"}) {
    EXPECT_TRUE(sockets.factory().session().transport->send({notice(name)}).is_ready());
  }
  EXPECT_TRUE(sockets.far.received.empty());
  sockets.loop().poll();
  EXPECT_EQ(sockets.far.writes, std::vector<std::size_t>{3});
}

TEST(WebSocketServer, WaitsForASlowClient) {
  Sockets sockets;
  sockets.factory().on("ping", echo);
  const auto socket = sockets.connect("mcp");
  EXPECT_TRUE(sockets.factory().session().transport->send({notice("a")}).is_ready());
  sockets.far.stuck = true;
  sockets.loop().poll();
  EXPECT_FALSE(sockets.factory().session().transport->send({notice("b")}).is_ready());
  sockets.far.stuck = false;
  sockets.far.bell.notify();
  sockets.loop().poll();
  EXPECT_EQ(sockets.far.received, Texts{R"({"jsonrpc":"2.0","method":"a"})"});
}

TEST(WebSocketServer, ClosesWithGoingAwayOnShutdown) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  socket->leave();
  sockets.loop().poll();
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.far.code, http::close_code::going_away);
}

TEST(WebSocketServer, InvalidHandshakeOpensNoSession) {
  Sockets sockets;
  const auto socket = sockets.start("GET", "/ws", {});
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.factory().sessions(), 0u);
}

TEST(WebSocketServer, S1_41_AFrameWithoutAMethodIsAToolCall) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.client_sends(frame);
  EXPECT_EQ(sockets.factory().session().received,
            Texts{R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}})"});
}

TEST(WebSocketServer, S1_42_RepliesWithAToolResponseOfTheSameId) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.client_sends(frame);
  sockets.send_to_client(result(7, R"({"resultType":"complete","content":[]})"), 7);
  EXPECT_EQ(sockets.far.received,
            Texts{R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":""}]}})"});
  EXPECT_TRUE(check_tool_response(sockets.far.received[0]));
}

TEST(WebSocketServer, S1_48_ReportsErrorsAsToolErrors) {
  for (const auto* bad : {R"({"name":"add"})", R"({"id":7,"name":"add","arguments":1})", R"({"id":7,"name":""})"}) {
    Sockets sockets;
    const auto socket = sockets.connect();
    sockets.client_sends(bad);
    ASSERT_EQ(sockets.factory().session().received.size(), 1u) << bad;
    const auto notification = sockets.factory().session().received[0];
    ASSERT_TRUE(notification.starts_with("!")) << notification;
    EXPECT_TRUE(check_tool_error(notification.substr(1))) << notification;
  }
}

TEST(WebSocketServer, SubprotocolDisablesToolFrames) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  sockets.client_sends(frame);
  EXPECT_TRUE(sockets.factory().session().received.at(0).starts_with("!"));
}

TEST(WebSocketServer, S1_45_AnswersJsonPing) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.client_sends(R"({"type":"ping"})");
  EXPECT_EQ(sockets.far.received, Texts{R"({"type":"pong"})"});
  EXPECT_TRUE(sockets.factory().session().received.empty());
}

TEST(WebSocketServer, DoesNotChangeJsonRpcResults) {
  Sockets sockets;
  const auto socket = sockets.connect();
  sockets.client_sends(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}})");
  sockets.send_to_client(result(7, R"({"resultType":"complete","content":[]})"), 7);
  EXPECT_EQ(sockets.far.received, Texts{R"({"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}})"});
}

TEST(WebSocketServer, SessionEndsWithTheClient) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  sockets.far.disconnect();
  sockets.loop().poll();
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.far.code, http::close_code::normal);
}

TEST(WebSocketServer, S1_48b_InternalErrorCloses1011) {
  Sockets sockets;
  sockets.factory().on(
      "explode", [](const jsonrpc::Request&) -> FakeSessionFactory::Replies { throw std::runtime_error("secret"); });
  const auto socket = sockets.connect("mcp");
  sockets.client_sends(R"({"jsonrpc":"2.0","id":1,"method":"explode"})");
  EXPECT_TRUE(socket.done.done());
  EXPECT_EQ(sockets.far.code, http::close_code::internal_error);
}

TEST(WebSocketServer, Finding_S7_StopsReadingFromAClientThatDoesNotRead) {
  Sockets sockets;
  const auto socket = sockets.connect("mcp");
  auto& session = sockets.factory().session();
  session.backlogged = true;
  for (int i = 0; i < 100; ++i) sockets.far.deliver(ping);
  sockets.loop().poll();
  EXPECT_EQ(session.received.size(), 0U);
  session.backlogged = false;
  ASSERT_TRUE(session.backlog_cleared);
  session.backlog_cleared->set(true);
  sockets.loop().poll();
  EXPECT_EQ(session.received.size(), 100U);
}

}  // namespace
}  // namespace fairlead::transport::websocket_server_test
