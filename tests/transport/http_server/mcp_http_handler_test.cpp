#include <fairlead/transport/mcp_http_handler.hpp>

#include <gtest/gtest.h>

#include "support/endpoint_bench.hpp"

namespace fairlead::transport::mcp_http_handler_test {
namespace {

using namespace test;

struct McpHttpFixture : EndpointBench<http::Handler> {
  explicit McpHttpFixture(McpHttpOptions options = {})
      : EndpointBench(
            [&](EventLoop loop, SessionFactory& factory) { return make_mcp_http_handler(loop, 0, factory, options); }) {
    factory().now("tools/call", R"({"content":[{"type":"text","text":"1"}]})");
  }

  ActiveRequest post(std::string path, std::string accept, std::string body = call) {
    Headers headers{{"Content-Type", "application/json"}};
    if (!accept.empty()) headers.push_back({"Accept", std::move(accept)});
    return start("POST", std::move(path), std::move(headers), std::move(body));
  }

  static constexpr auto call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}})";
  static constexpr auto initialize = R"({"jsonrpc":"2.0","id":1,"method":"initialize"})";
};

constexpr auto both = "application/json, text/event-stream";

TEST(McpHttpHandler, S2_08_EveryTransportHasItsOwnPath) {
  McpHttpFixture front;
  EXPECT_NE(front.post("/mcp", both, McpHttpFixture::initialize)->header("Mcp-Session-Id"), "");
  EXPECT_EQ(front.post("/rpc", "")->status(), 200);
  EXPECT_EQ(front.post("/rpc/stream", "")->head().content_type, "text/event-stream");
  EXPECT_TRUE(front.start("GET", "/sse", {})->body().starts_with("event: endpoint\ndata: /messages?sessionId="));
  EXPECT_EQ(front.post("/messages", "")->status(), 400);
  EXPECT_EQ(front.post("/other", both)->status(), 404);
}

TEST(McpHttpHandler, ServesHealthAndReadiness) {
  bool ready = false;
  McpHttpFixture front({.is_ready = [&] { return ready; }});
  EXPECT_EQ(front.start("GET", "/healthz", {})->status(), 200);
  EXPECT_EQ(front.start("GET", "/readyz", {})->status(), 503);
  ready = true;
  EXPECT_EQ(front.start("GET", "/readyz", {})->status(), 200);
  EXPECT_EQ(front.start("POST", "/healthz", {})->status(), 405);
}

TEST(McpHttpHandler, PathsAreConfigurable) {
  McpHttpFixture front({.paths = {.mcp = "/", .sse = "", .messages = "", .rpc = "/call"}});
  EXPECT_EQ(front.post("/", both, McpHttpFixture::initialize)->status(), 200);
  EXPECT_EQ(front.post("/call", "")->status(), 200);
  EXPECT_EQ(front.post("/mcp", both)->status(), 404);
  EXPECT_EQ(front.start("GET", "/sse", {})->status(), 404);
}

TEST(McpHttpHandler, SinglePathSelectsByAcceptHeader) {
  McpHttpFixture front({.single_path = true});
  EXPECT_NE(front.post("/mcp", both, McpHttpFixture::initialize)->header("Mcp-Session-Id"), "");
  EXPECT_EQ(front.post("/mcp", both)->status(), 400);
  for (const auto* accept : {"", "*/*", "application/json"}) {
    const auto sent = front.post("/mcp", accept);
    EXPECT_EQ(sent->status(), 200) << accept;
    EXPECT_EQ(sent->head().content_type, "application/json") << accept;
  }
  EXPECT_EQ(front.post("/mcp", "text/event-stream")->head().content_type, "text/event-stream");
}

}  // namespace
}  // namespace fairlead::transport::mcp_http_handler_test
