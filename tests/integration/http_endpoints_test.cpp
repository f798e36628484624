#include <fairlead/auth/api_keys.hpp>
#include <fairlead/transport/mcp_http_handler.hpp>
#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"
#include "integration/tool_schemas.hpp"

namespace fairlead::http_endpoints_test {
namespace {

using namespace test;

TEST(HttpEndpoints, S2_09_RejectForeignOrigins) {
  HttpServerFixture rig(1);
  for (const auto& [method, path] : mcp_endpoints) {
    for (const auto* origin : {"http://evil.example.com", "null", "http://localhost.evil.example.com"}) {
      const auto answer = rig.send_request(method, path, HttpServerFixture::usual + "Origin: " + origin + "\r\n",
                                           method == "POST" ? "{}" : "");
      EXPECT_EQ(answer.status, 403) << method << ' ' << path << ' ' << origin;
    }
  }
}

TEST(HttpEndpoints, S2_10_ListenOnLoopbackUnlessAuthenticated) {
  HttpServerFixture rig(1);
  EXPECT_TRUE(rig.listener().url().starts_with("http://127.0.0.1:"));
  NullSink log;
  Workers workers(1, log);
  http::Listener open_to_all(workers, log, {.host = "0.0.0.0"}, [](EventLoop, std::size_t) { return nullptr; });
  EXPECT_FALSE(open_to_all.open());
}

TEST(HttpEndpoints, S2_11_RequireAKey) {
  http::ListenOptions listen;
  listen.access_checks.push_back(std::make_shared<auth::ApiKeyCheck>(
      auth::ApiKeyCheck::make({{"ann", auth::sha256_hex("a")}, {"bob", auth::sha256_hex("b")}}).value()));
  HttpServerFixture rig(1, std::move(listen));
  for (const auto& [method, path] : mcp_endpoints) {
    EXPECT_EQ(rig.send_request(method, path, HttpServerFixture::usual, method == "POST" ? "{}" : "").status, 401)
        << method << ' ' << path;
  }
  EXPECT_EQ(rig.send_request("GET", "/ws", upgrade).status, 401);
  EXPECT_EQ(rig.send_request("GET", "/healthz").status, 200);
}

TEST(HttpEndpoints, BindSessionsToThePrincipal) {
  http::ListenOptions listen;
  listen.access_checks.push_back(std::make_shared<auth::ApiKeyCheck>(
      auth::ApiKeyCheck::make({{"ann", auth::sha256_hex("a")}, {"bob", auth::sha256_hex("b")}}).value()));
  HttpServerFixture rig(2, std::move(listen));
  const std::string ann = "Authorization: Bearer a\r\n";
  const std::string bob = "X-API-Key: b\r\n";
  const auto session = rig.open("2025-11-25", ann);
  EXPECT_TRUE(contains(rig.post("/mcp", tool_call(1, "whoami"), session + ann).body, "\"ann\""));
  EXPECT_EQ(rig.post("/mcp", tool_call(1, "whoami"), session + bob).status, 404);
  EXPECT_EQ(rig.send_request("DELETE", "/mcp", session + bob).status, 404);
  EXPECT_TRUE(contains(rig.post("/mcp", stateless_call(1, "whoami"), stateless_lines("whoami") + bob).body, "\"bob\""));
  EXPECT_TRUE(contains(rig.post("/rpc", tool_call(1, "whoami"), bob).body, "\"bob\""));
}

TEST(HttpEndpoints, AnswerToolCallsWithStatusAndSchema) {
  HttpServerFixture rig(1);
  const auto good = rig.post("/rpc", tool_call(1, "echo", R"({"text":"hi"})"));
  EXPECT_EQ(good.status, 200);
  EXPECT_THAT(good.body, IsToolResponse());
  const auto unknown = rig.post("/rpc", tool_call(1, "nothing"));
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(unknown.body, IsToolError());
  EXPECT_EQ(rig.send_request("GET", "/rpc").status, 405);
}

TEST(HttpEndpoints, StreamToolCalls) {
  HttpServerFixture rig(1);
  const auto answer = rig.post("/rpc/stream", tool_call(1, "echo", R"({"text":"hi"})"));
  EXPECT_TRUE(answer.has("Content-Type: text/event-stream")) << answer.head;
  EXPECT_TRUE(contains(answer.body, "event: result\ndata: {\"content\":[{")) << answer.body;
  EXPECT_TRUE(contains(answer.body, "event: complete\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,")) << answer.body;
}

TEST(HttpEndpoints, S2_43_ServeHttpSseBesideStreamableHttp) {
  HttpServerFixture rig(2);
  auto stream = rig.connect();
  stream.send_request("GET", "/sse", "Accept: text/event-stream\r\n");
  stream.until("data: ");
  auto address = stream.until("\n");
  address.pop_back();
  const auto opening = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05"}})";
  EXPECT_EQ(rig.post(address, opening).status, 202);
  stream.until(R"("protocolVersion":"2024-11-05")");
  EXPECT_EQ(rig.post(address, tool_call(1, "echo", R"({"text":"hi"})")).status, 202);
  stream.until("\"id\":1,");
  EXPECT_TRUE(contains(stream.until("\n\n"), "hi"));
}

TEST(HttpEndpoints, S1_40_WebSocketCarriesToolCallsAndJsonRpc) {
  HttpServerFixture rig(1);
  auto socket = rig.connect();
  socket.send_request("GET", "/ws", upgrade);
  EXPECT_TRUE(contains(socket.until("\r\n\r\n"), "101"));
  socket.send(masked(R"({"id":3,"name":"echo","arguments":{"text":"one"}})"));
  EXPECT_TRUE(contains(socket.until("false}}"), R"({"jsonrpc":"2.0","id":3,"result":{"content":[{)"));
  socket.send(masked(R"({"jsonrpc":"2.0","id":4,"method":"ping"})"));
  EXPECT_TRUE(contains(socket.until("{}}"), R"({"jsonrpc":"2.0","id":4,"result":{}})"));
}

}  // namespace
}  // namespace fairlead::http_endpoints_test
