#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"

namespace fairlead::http_session_test {
namespace {

using namespace test;

TEST(HttpSessions, S2_36_ASessionIsFoundFromAnyConnectionOnAnyWorker) {
  HttpServerFixture rig(2);
  const auto session = rig.open();
  for (int id = 1; id <= 40; ++id) {
    const auto text = "hello " + std::to_string(id);
    const auto answer = rig.post("/mcp", tool_call(id, "echo", "{\"text\":\"" + text + "\"}"), session);
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(contains(answer.body, text)) << answer.body;
  }
}

TEST(HttpSessions, ServerRequestsUseTheStreamOfTheirCall) {
  HttpServerFixture rig(2);
  const auto session = rig.open();
  auto call = rig.connect();
  call.send_request("POST", "/mcp", HttpServerFixture::usual + session, tool_call(1, "ask"));
  const auto request = call.until("\"method\":\"roots/list\"");
  EXPECT_TRUE(contains(request, "text/event-stream")) << request;
  const auto reply = R"({"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///here"}]}})";
  EXPECT_EQ(rig.post("/mcp", reply, session).status, 202);
  EXPECT_TRUE(contains(call.until("0\r\n\r\n"), "file:///here"));
}

TEST(HttpSessions, S2_21_DisconnectDoesNotCancelButCancelledDoes) {
  HttpServerFixture rig(1);
  const auto session = rig.open();
  {
    auto call = rig.connect();
    call.send_request("POST", "/mcp", HttpServerFixture::usual + session, tool_call(7, "hold"));
    ASSERT_TRUE(eventually([&] { return rig.held() == 1; }));
  }
  EXPECT_EQ(rig.post("/mcp", tool_call(8, "echo", R"({"text":"x"})"), session).status, 200);
  EXPECT_EQ(rig.cancelled(), 0);
  const auto cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})";
  EXPECT_EQ(rig.post("/mcp", cancel, session).status, 202);
  EXPECT_TRUE(eventually([&] { return rig.cancelled() == 1; }));
}

TEST(HttpSessions, CancelledCallEndsItsResponse) {
  HttpServerFixture rig(1);
  const auto session = rig.open();
  auto call = rig.connect();
  call.send_request("POST", "/mcp", HttpServerFixture::usual + session, tool_call(7, "hold"));
  ASSERT_TRUE(eventually([&] { return rig.held() == 1; }));
  rig.post("/mcp", R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})", session);
  EXPECT_EQ(call.answer().status, 200);
}

TEST(HttpSessions, DisconnectCancelsAStatelessCall) {
  HttpServerFixture rig(1);
  {
    auto call = rig.connect();
    call.send_request("POST", "/mcp", HttpServerFixture::usual + stateless_lines("hold"), stateless_call(7, "hold"));
    ASSERT_TRUE(eventually([&] { return rig.held() == 1; }));
    EXPECT_EQ(rig.cancelled(), 0);
  }
  EXPECT_TRUE(eventually([&] { return rig.cancelled() == 1; }));
}

TEST(HttpSessions, OneSessionCannotCancelAnothersCall) {
  HttpServerFixture rig(2);
  const auto mine = rig.open();
  const auto theirs = rig.open();
  auto call = rig.connect();
  call.send_request("POST", "/mcp", HttpServerFixture::usual + mine, tool_call(7, "hold"));
  ASSERT_TRUE(eventually([&] { return rig.held() == 1; }));
  rig.post("/mcp", R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})", theirs);
  EXPECT_EQ(rig.post("/mcp", tool_call(1, "echo", R"({"text":"x"})"), theirs).status, 200);
  EXPECT_EQ(rig.cancelled(), 0);
}

TEST(HttpSessions, S4_05_ListChangesArriveOnTheGetStream) {
  HttpServerFixture rig(2);
  const auto session = rig.open();
  auto stream = rig.connect();
  stream.send_request("GET", "/mcp", "Accept: text/event-stream\r\n" + session);
  EXPECT_TRUE(contains(stream.until("data: \n\n"), "text/event-stream"));
  rig.app().tool("late", "Comes late", [] { return 1; });
  EXPECT_TRUE(contains(stream.until("list_changed"), "notifications/tools/list_changed"));
}

TEST(HttpSessions, DeleteCancelsRunningCalls) {
  HttpServerFixture rig(2);
  const auto session = rig.open();
  auto call = rig.connect();
  call.send_request("POST", "/mcp", HttpServerFixture::usual + session, tool_call(7, "hold"));
  ASSERT_TRUE(eventually([&] { return rig.held() == 1; }));
  EXPECT_EQ(rig.send_request("DELETE", "/mcp", session).status, 200);
  EXPECT_EQ(call.answer().status, 404);
  EXPECT_TRUE(eventually([&] { return rig.cancelled() == 1; }));
}

TEST(HttpSessions, StopEndsStreamsAndHandlers) {
  HttpServerFixture rig(2);
  const auto session = rig.open();
  auto stream = rig.connect();
  stream.send_request("GET", "/mcp", "Accept: text/event-stream\r\n" + session);
  stream.until("data: \n\n");
  auto old = rig.connect();
  old.send_request("GET", "/sse", "Accept: text/event-stream\r\n");
  old.until("event: endpoint");
  auto call = rig.connect();
  call.send_request("POST", "/mcp", HttpServerFixture::usual + session, tool_call(7, "hold"));
  auto alone = rig.connect();
  alone.send_request("POST", "/mcp", HttpServerFixture::usual + stateless_lines("hold"), stateless_call(7, "hold"));
  ASSERT_TRUE(eventually([&] { return rig.held() == 2; }));
  rig.listener().stop(std::chrono::milliseconds{100});
  EXPECT_EQ(rig.cancelled(), 2);
}

TEST(HttpSessions, ManySessionsOpenAndCloseInEveryState) {
  HttpServerFixture rig(2);
  for (int i = 0; i < 100; ++i) {
    const auto session = rig.open();
    auto stream = rig.connect();
    stream.send_request("GET", "/mcp", "Accept: text/event-stream\r\n" + session);
    auto call = rig.connect();
    call.send_request("POST", "/mcp", HttpServerFixture::usual + session, tool_call(i, i % 2 == 0 ? "hold" : "ask"));
    if (i % 3 == 0) stream.until("data: \n\n");
    if (i % 5 == 0) call.disconnect();
    if (i % 7 == 0) stream.disconnect();
    EXPECT_EQ(rig.send_request("DELETE", "/mcp", session).status, 200);
  }
  EXPECT_EQ(rig.send_request("GET", "/healthz").status, 200);
}

}  // namespace
}  // namespace fairlead::http_session_test
