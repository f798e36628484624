#include <fairlead/transport/streamable_http.hpp>
#include <gtest/gtest.h>

#include "support/stateless_request.hpp"

namespace fairlead::transport::streamable_rules_test {
namespace {

using namespace test;
using Headers = McpEndpoint::Headers;

TEST(StreamableRules, UnknownVersionHeaderIs400InASession) {
  McpEndpoint mcp;
  mcp.factory().now("ping", "{}");
  const auto session = mcp.open();
  const auto ping = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}, {"MCP-Protocol-Version", "1999-01-01"}})->status(), 400);
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}, {"MCP-Protocol-Version", "2025-11-25"}})->status(), 200);
  EXPECT_EQ(mcp.post(ping, {{"Mcp-Session-Id", session}})->status(), 200);
}

TEST(StreamableRules, WrongContentTypeIs415) {
  McpEndpoint mcp;
  for (const auto* type : {"text/plain", "application/jsonx", "application/json-rpc"}) {
    EXPECT_EQ(mcp.send("POST", {{"Content-Type", type}}, "{}")->status(), 415) << type;
  }
  EXPECT_EQ(mcp.send("POST", {}, "{}")->status(), 415);
}

TEST(StreamableRules, AcceptsContentTypeWithParametersInAnyCase) {
  McpEndpoint mcp;
  mcp.factory().now("tools/list", "{}");
  auto all = headers("tools/list");
  all.push_back({"Content-Type", "Application/JSON; charset=utf-8"});
  EXPECT_EQ(mcp.send("POST", all, modern("tools/list"))->status(), 200);
}

TEST(StreamableRules, S2_12_AcceptMustCoverJsonAndEvents) {
  McpEndpoint mcp;
  mcp.factory().now("tools/list", "{}");
  const auto status = [&](std::string accept) {
    auto all = headers("tools/list");
    all.push_back({"Content-Type", "application/json"});
    all.push_back({"Accept", std::move(accept)});
    return mcp.send("POST", all, modern("tools/list"))->status();
  };
  for (const auto* good : {"application/json, text/event-stream", "text/event-stream,application/json;q=0.9", "*/*",
                           "application/*, text/*", "APPLICATION/JSON , Text/Event-Stream"}) {
    EXPECT_EQ(status(good), 200) << good;
  }
  for (const auto* bad :
       {"text/html", "application/json", "text/event-stream", "application/json, text/event-stream;q=0", ""}) {
    EXPECT_EQ(status(bad), 406) << bad;
  }
}

TEST(StreamableRules, InvalidJsonRpcIs400) {
  McpEndpoint mcp;
  const auto garbage = mcp.post("{nonsense");
  EXPECT_EQ(garbage->status(), 400);
  EXPECT_NE(garbage->body().find("-32700"), std::string::npos);
  const auto other = mcp.post(R"({"hello":1})");
  EXPECT_EQ(other->status(), 400);
  EXPECT_NE(other->body().find("-32600"), std::string::npos);
  EXPECT_EQ(mcp.post("")->status(), 400);
  EXPECT_EQ(mcp.post("[]")->status(), 400);
}

TEST(StreamableRules, StatelessRequestInABatchIs400) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-03-26");
  const auto sent = mcp.post("[" + modern("tools/list") + "]", {{"Mcp-Session-Id", session}});
  EXPECT_EQ(sent->status(), 400);
  EXPECT_NE(sent->body().find("-32600"), std::string::npos);
}

TEST(StreamableRules, S2_23_S1_27_OtherMethodsAre405) {
  McpEndpoint mcp;
  const Headers newest{{"MCP-Protocol-Version", "2026-07-28"}, {"Accept", "text/event-stream"}};
  for (const auto* method : {"GET", "DELETE"}) {
    const auto sent = mcp.send(method, newest);
    EXPECT_EQ(sent->status(), 405);
    EXPECT_EQ(sent->header("Allow"), "POST");
  }
  for (const auto* method : {"PUT", "PATCH", "HEAD", "get"}) {
    const auto sent = mcp.send(method, {});
    EXPECT_EQ(sent->status(), 405);
    EXPECT_EQ(sent->header("Allow"), "GET, POST, DELETE");
  }
}

TEST(StreamableRules, AcceptsAndDropsStatelessNotifications) {
  McpEndpoint mcp;
  const auto sent =
      mcp.post(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})", {{"MCP-Protocol-Version", "2026-07-28"}});
  EXPECT_EQ(sent->status(), 202);
}

TEST(StreamableRules, StatelessOnlyEndpointRejectsSessions) {
  McpEndpoint mcp({.eras = Eras::stateless});
  const auto opening = mcp.post(R"({"jsonrpc":"2.0","id":7,"method":"initialize","params":{}})");
  EXPECT_EQ(opening->status(), 400);
  EXPECT_TRUE(has_error(opening, -32022));
  EXPECT_NE(opening->body().find(R"("supported":["2026-07-28"])"), std::string::npos);
  EXPECT_EQ(mcp.post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})")->status(), 202);
  EXPECT_EQ(mcp.send("GET", {{"Accept", "text/event-stream"}})->status(), 405);
  EXPECT_EQ(mcp.send("DELETE", {})->status(), 405);
}

TEST(StreamableRules, HandshakeOnlyEndpointIgnoresMeta) {
  McpEndpoint mcp({.eras = Eras::handshake});
  const auto sent = mcp.post(modern("tools/list"), headers("tools/list"));
  EXPECT_EQ(sent->status(), 400);
  EXPECT_NE(mcp.open(), "");
}

TEST(StreamableRules, Finding_S15_LimitsOnePrincipalToItsShareOfSessions) {
  McpEndpoint mcp({.sessions = {.max_entries = 4}});
  for (int i = 0; i < 4; ++i) EXPECT_NE(mcp.open("2025-11-25", "anna"), "");
  EXPECT_EQ(mcp.endpoint().sessions(), 3u) << "the fourth ended another session of anna";
  EXPECT_NE(mcp.open("2025-11-25", "ben"), "");
  EXPECT_EQ(mcp.endpoint().sessions(), 4u);
}

}  // namespace
}  // namespace fairlead::transport::streamable_rules_test
