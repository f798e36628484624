#include <fairlead/transport/streamable_http.hpp>
#include <gtest/gtest.h>

#include "support/stateless_request.hpp"

namespace fairlead::transport::streamable_request_test {
namespace {

using namespace test;
using Headers = McpEndpoint::Headers;

TEST(StreamableRequest, S4_03_S4_04_IsAnsweredWithoutASession) {
  McpEndpoint mcp;
  mcp.factory().now("tools/list", R"({"tools":[]})");
  const auto sent = mcp.post(modern("tools/list"), headers("tools/list"));
  EXPECT_EQ(sent->status(), 200);
  EXPECT_EQ(sent->body(), R"({"jsonrpc":"2.0","id":7,"result":{"tools":[]}})");
  EXPECT_EQ(sent->header("Mcp-Session-Id"), "");
  EXPECT_EQ(mcp.endpoint().sessions(), 0u);
}

TEST(StreamableRequest, IgnoresTheSessionId) {
  McpEndpoint mcp;
  mcp.factory().now("tools/list", "{}");
  auto all = headers("tools/list");
  all.push_back({"Mcp-Session-Id", "0.unknown"});
  EXPECT_EQ(mcp.post(modern("tools/list"), all)->status(), 200);
}

TEST(StreamableRequest, SlowRequestOpensItsOwnSession) {
  McpEndpoint mcp;
  const auto call = mcp.post(modern("tools/list"), headers("tools/list"));
  EXPECT_EQ(mcp.factory().session().received, std::vector<std::string>{modern("tools/list")});
  mcp.send_to_client(result(7), 7);
  EXPECT_EQ(call->body(), R"({"jsonrpc":"2.0","id":7,"result":{}})");
  EXPECT_TRUE(call.done.done());
  EXPECT_EQ(mcp.factory().session().transport, nullptr);
}

TEST(StreamableRequest, MessagesBeforeTheResponseMakeAStreamWithoutIds) {
  McpEndpoint mcp;
  const auto call = mcp.post(modern("subscriptions/listen"), headers("subscriptions/listen"));
  mcp.send_to_client(notice("notifications/subscriptions/acknowledged"), 7);
  mcp.send_to_client(notice("notifications/tools/list_changed"), 7);
  mcp.send_to_client(result(7), 7);
  EXPECT_EQ(call->body(),
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}\n\n"
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"
            "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n");
  EXPECT_TRUE(call->ended());
}

TEST(StreamableRequest, DisconnectCancelsTheRequest) {
  McpEndpoint mcp;
  const auto call = mcp.post(modern("tools/list"), headers("tools/list"));
  call->leave();
  mcp.loop().poll();
  EXPECT_TRUE(mcp.factory().session().closed);
  EXPECT_TRUE(call.done.done());
  EXPECT_FALSE(call->response_started());
}

TEST(StreamableRequest, RequestsWithEqualIdsGetTheirOwnResponses) {
  McpEndpoint mcp;
  const auto first = mcp.post(modern("tools/list"), headers("tools/list"));
  const auto second = mcp.post(modern("tools/list"), headers("tools/list"));
  mcp.send_to_client(result(7, R"({"who":2})"), 7, 1);
  mcp.send_to_client(result(7, R"({"who":1})"), 7, 0);
  EXPECT_NE(first->body().find("\"who\":1"), std::string::npos);
  EXPECT_NE(second->body().find("\"who\":2"), std::string::npos);
}

TEST(StreamableRequest, IncompleteMetaIs400WithInvalidParams) {
  McpEndpoint mcp;
  const auto half = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})";
  for (const auto& meta : {std::string(half), std::string(R"("_meta":{})"), std::string()}) {
    const auto sent = mcp.post(modern("tools/list", "", meta), headers("tools/list"));
    EXPECT_EQ(sent->status(), 400) << meta;
    EXPECT_TRUE(has_error(sent, -32602)) << sent->body();
  }
}

TEST(StreamableRequest, HeaderAndBodyMustNameTheSameVersion) {
  McpEndpoint mcp;
  const auto differs = mcp.post(modern("tools/list"), headers("tools/list", "", "2025-11-25"));
  EXPECT_EQ(differs->status(), 400);
  EXPECT_TRUE(has_error(differs, -32020));
  const auto missing = mcp.post(modern("tools/list"), {{"Mcp-Method", "tools/list"}});
  EXPECT_EQ(missing->status(), 400);
  EXPECT_TRUE(has_error(missing, -32020));
}

TEST(StreamableRequest, UnsupportedVersionIs400AndListsSupported) {
  McpEndpoint mcp;
  const auto meta =
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}})";
  const auto sent = mcp.post(modern("tools/list", "", meta), headers("tools/list", "", "2099-01-01"));
  EXPECT_EQ(sent->status(), 400);
  EXPECT_TRUE(has_error(sent, -32022));
  EXPECT_NE(sent->body().find(R"({"supported":["2026-07-28"],"requested":"2099-01-01"})"), std::string::npos);
}

TEST(StreamableRequest, MethodAndNameHeadersMustMatchTheBody) {
  McpEndpoint mcp;
  const auto body = modern("tools/call", R"("name":"add")");
  const std::vector<Headers> wrong{headers("tools/list", "add"),
                                   headers("tools/call", "sub"),
                                   headers("tools/call"),
                                   headers("Tools/Call", "add"),
                                   headers("tools/call", "=?base64?YWR=?="),
                                   {{"MCP-Protocol-Version", "2026-07-28"}}};
  for (const auto& each : wrong) {
    const auto sent = mcp.post(body, each);
    EXPECT_EQ(sent->status(), 400);
    EXPECT_TRUE(has_error(sent, -32020)) << sent->body();
  }
  mcp.factory().now("tools/call", "{}");
  EXPECT_EQ(mcp.post(body, headers("tools/call", "=?base64?YWRk?="))->status(), 200);
}

TEST(StreamableRequest, RejectsARepeatedHeader) {
  McpEndpoint mcp;
  auto all = headers("tools/call", "add");
  all.push_back({"mcp-name", "add"});
  EXPECT_TRUE(has_error(mcp.post(modern("tools/call", R"("name":"add")"), all), -32020));
}

TEST(StreamableRequest, ChecksArgumentHeaders) {
  McpEndpoint mcp;
  mcp.factory().now("tools/call", "{}");
  mcp.factory().header_param({.header = "Mcp-Param-Region", .path = {"region"}});
  const auto body = modern("tools/call", R"("name":"add","arguments":{"region":"eu"})");
  EXPECT_TRUE(has_error(mcp.post(body, headers("tools/call", "add")), -32020));
  auto all = headers("tools/call", "add");
  all.push_back({"Mcp-Param-Region", "us"});
  EXPECT_TRUE(has_error(mcp.post(body, all), -32020));
  all.back().second = "eu";
  EXPECT_EQ(mcp.post(body, all)->status(), 200);
}

TEST(StreamableRequest, UnknownMethodIs404) {
  McpEndpoint mcp;
  const auto call = mcp.post(modern("ping"), headers("ping"));
  mcp.send_to_client(jsonrpc::ErrorResponse{7, {.code = -32601, .message = "Method not found"}}, 7);
  EXPECT_EQ(call->status(), 404);
}

TEST(StreamableRequest, MissingCapabilityIs400AndHandlerErrorIs200) {
  McpEndpoint mcp;
  const auto lacks = mcp.post(modern("tools/list"), headers("tools/list"));
  mcp.send_to_client(
      jsonrpc::ErrorResponse{7, {.code = -32021, .message = "Missing required client capability: sampling"}}, 7);
  EXPECT_EQ(lacks->status(), 400);
  const auto fails = mcp.post(modern("tools/list"), headers("tools/list"));
  mcp.send_to_client(jsonrpc::ErrorResponse{7, {.code = -32602, .message = "Unknown tool: x"}}, 7, 1);
  EXPECT_EQ(fails->status(), 200);
}

// The text is that of the TypeScript SDK version 2, whose error a gateway passes on.
TEST(StreamableRequest, Finding_P3_StatusDependsOnTheErrorCodeOnly) {
  const std::vector<std::pair<jsonrpc::ErrorObject, int>> cases{
      {{.code = -32021,
        .message = "Missing required client capabilities: sampling",
        .data = json::Payload::trusted(R"({"requiredCapabilities":{"sampling":{}}})")},
       400},
      {{.code = -32021,
        .message = "Cannot request input 'q' (sampling/createMessage): the request's client capabilities do not "
                   "declare the required capability"},
       400},
      {{.code = -32602, .message = "Tool nope not found"}, 200}};
  for (const auto& [object, status] : cases) {
    McpEndpoint mcp;
    const auto call = mcp.post(modern("tools/list"), headers("tools/list"));
    mcp.send_to_client(jsonrpc::ErrorResponse{7, object}, 7);
    EXPECT_EQ(call->status(), status) << object.message;
  }
}

// The method was removed, so its required headers are not checked.
TEST(StreamableRequest, Finding_P10_RemovedMethodIsUnknownWithAnyHeaders) {
  McpEndpoint mcp;
  const auto call = mcp.post(modern("tasks/result", R"("taskId":"t")"), headers("tasks/result"));
  mcp.send_to_client(jsonrpc::ErrorResponse{7, {.code = -32601, .message = "Method not found"}}, 7);
  EXPECT_EQ(call->status(), 404) << call->body();
}

TEST(StreamableRequest, StatelessInitializeIsAnUnknownMethod) {
  McpEndpoint mcp;
  mcp.factory().on("initialize", [](const jsonrpc::Request&) { return FakeSessionFactory::Replies{}; });
  const auto call = mcp.post(modern("initialize"), headers("initialize"));
  EXPECT_EQ(mcp.endpoint().sessions(), 0u);
  mcp.send_to_client(jsonrpc::ErrorResponse{7, {.code = -32601, .message = "Method not found"}}, 7);
  EXPECT_EQ(call->status(), 404);
}

TEST(StreamableRequest, InitializeWithAStatelessHeaderIsAMismatch) {
  McpEndpoint mcp;
  const auto sent = mcp.post(modern("initialize", "", ""), headers("initialize"));
  EXPECT_EQ(sent->status(), 400);
  EXPECT_TRUE(has_error(sent, -32020));
}

TEST(StreamableRequest, InitializeAcceptsAnyHandshakeVersionHeader) {
  McpEndpoint mcp;
  const auto sent = mcp.post(R"({"jsonrpc":"2.0","id":7,"method":"initialize","params":{}})",
                             {{"MCP-Protocol-Version", "2025-06-18"}});
  EXPECT_EQ(sent->status(), 200);
}

TEST(StreamableRequest, LegacyDiscoveryNeedsNoSession) {
  McpEndpoint mcp;
  const auto call = mcp.post(R"({"jsonrpc":"2.0","id":7,"method":"mcp/discover"})");
  mcp.send_to_client(result(7), 7);
  EXPECT_EQ(call->status(), 200);
  EXPECT_EQ(mcp.endpoint().sessions(), 0u);
}

TEST(StreamableRequest, LargeBodyIsHandledTheSame) {
  McpEndpoint mcp;
  const auto body = modern("tools/call", R"("name":"add","arguments":{"x":")" + std::string(100'000, 'x') + "\"}");
  const auto call = mcp.post(body, headers("tools/call", "add"));
  EXPECT_EQ(mcp.factory().session().received, std::vector<std::string>{body});
  mcp.send_to_client(result(7), 7);
  EXPECT_EQ(call->status(), 200);
}

}  // namespace
}  // namespace fairlead::transport::streamable_request_test
