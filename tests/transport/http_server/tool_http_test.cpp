#include <fairlead/transport/tool_http.hpp>

#include <fairlead/protocol/protocol_error.hpp>
#include <gtest/gtest.h>

#include "support/endpoint_bench.hpp"
#include "transport/tool_call_schema.hpp"

namespace fairlead::transport::tool_http_test {
namespace {

using namespace test;

struct Tools : EndpointBench<ToolHttp> {
  explicit Tools(ToolHttpOptions options = {})
      : EndpointBench([&](EventLoop loop, SessionFactory& factory) {
          return std::make_unique<ToolHttp>(loop, factory, options);
        }) {}

  ActiveRequest post(std::string body) {
    return start("POST", "/rpc", {{"Content-Type", "application/json"}}, std::move(body));
  }
};

const std::string call =
    R"({"jsonrpc":"2.0","id":"c1","method":"tools/call","params":{"name":"add","arguments":{"a":1}}})";
const std::string text_result = R"({"content":[{"type":"text","text":"1"}]})";
const std::string answer = R"({"jsonrpc":"2.0","id":"c1","result":)" + text_result + "}";

jsonrpc::Message error(std::int64_t code, std::string message) {
  return jsonrpc::ErrorResponse{"c1", {.code = code, .message = std::move(message)}};
}

TEST(ToolHttp, S1_20_S1_22_RespondsWith200AndAToolResponse) {
  Tools tools;
  tools.factory().now("tools/call", text_result);
  const auto sent = tools.post(call);
  EXPECT_EQ(sent->status(), 200);
  EXPECT_EQ(sent->head().content_type, "application/json");
  EXPECT_EQ(sent->body(), answer);
  EXPECT_TRUE(check_tool_response(sent->body()));
}

TEST(ToolHttp, SlowCallIsAnsweredTheSame) {
  Tools tools;
  const auto sent = tools.post(call);
  EXPECT_EQ(tools.factory().session().received, std::vector<std::string>{call});
  EXPECT_TRUE(tools.factory().session().peer.tool_calls_only);
  tools.send_to_client(result("c1", text_result), "c1");
  EXPECT_EQ(sent->body(), answer);
  EXPECT_TRUE(sent.done.done());
}

TEST(ToolHttp, S1_27_OtherMethodsAre405) {
  Tools tools;
  for (const auto* method : {"GET", "PUT", "DELETE", "HEAD", "post"}) {
    const auto sent = tools.start(method, "/rpc", {});
    EXPECT_EQ(sent->status(), 405);
    EXPECT_EQ(sent->header("Allow"), "POST");
  }
}

jsonrpc::Message ours(protocol::ProtocolError fault) {
  auto lowered = protocol::encode_error(protocol::protocol_error(fault, "", "x"), protocol::newest_handshake());
  return jsonrpc::ErrorResponse{.id = jsonrpc::Id("c1"), .error = std::get<protocol::WireError>(lowered).error};
}

// Texts of the TypeScript SDK and of FastMCP.
TEST(ToolHttp, Finding_P3_StatusDependsOnTheErrorCode) {
  const std::vector<std::pair<jsonrpc::Message, int>> cases{{error(-32602, "Tool nope not found"), 400},
                                                            {error(-32602, "Unknown tool: nope"), 400},
                                                            {error(-32601, "Unknown tool: nope"), 404},
                                                            {error(-32002, "Resource note://x not found"), 404}};
  for (const auto& [message, status] : cases) {
    Tools tools;
    const auto sent = tools.post(call);
    tools.send_to_client(message, "c1");
    EXPECT_EQ(sent->status(), status) << sent->body();
  }
}

TEST(ToolHttp, S1_23_ErrorsHaveStatusAndToolErrorBody) {
  const std::vector<std::pair<jsonrpc::Message, int>> cases{{error(-32602, "Invalid params: a is missing"), 400},
                                                            {ours(protocol::ProtocolError::unknown_tool), 404},
                                                            {error(-32601, "Method not found"), 404},
                                                            {error(-32603, "Internal error"), 500},
                                                            {ours(protocol::ProtocolError::resource_denied), 403},
                                                            {error(408, "too late"), 504},
                                                            {error(-32099, "something else"), 500}};
  for (const auto& [message, status] : cases) {
    Tools tools;
    const auto sent = tools.post(call);
    tools.send_to_client(message, "c1");
    EXPECT_EQ(sent->status(), status) << sent->body();
    EXPECT_TRUE(check_tool_error(sent->body())) << sent->body();
  }
}

TEST(ToolHttp, S1_23_SchemaViolationsAre4xxAndListed) {
  Tools tools;
  const std::vector<std::pair<std::string, int>> cases{
      {"{nonsense", 400},
      {"[]", 400},
      {R"({"jsonrpc":"2.0","method":"tools/call","params":{"name":"a"}})", 400},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", 404},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}})", 400},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""}})", 400},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":[]}})", 400},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","more":1}})", 400},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"},"extra":1})", 400}};
  for (const auto& [body, status] : cases) {
    const auto sent = tools.post(body);
    EXPECT_EQ(sent->status(), status) << body;
    EXPECT_TRUE(check_tool_error(sent->body())) << sent->body();
  }
  EXPECT_EQ(tools.start("POST", "/rpc", {{"Content-Type", "text/plain"}}, call)->status(), 415);
}

TEST(ToolHttp, DropsUnknownParams) {
  Tools tools;
  tools.factory().now("tools/call", text_result);
  EXPECT_EQ(
      tools.post(R"({"jsonrpc":"2.0","id":"c1","method":"tools/call","params":{"name":"add","_meta":{}}})")->body(),
      answer);
}

TEST(ToolHttp, ConvertsResultsToTheSchema) {
  Tools tools;
  tools.factory().now("tools/call",
                      R"({"resultType":"complete","content":[],"structuredContent":[1],"more":1,"isError":false})");
  EXPECT_EQ(tools.post(call)->body(),
            R"({"jsonrpc":"2.0","id":"c1","result":{"content":[{"type":"text","text":""}],"isError":false}})");
}

TEST(ToolHttp, InvalidResultIs500) {
  Tools tools;
  tools.factory().now("tools/call", R"({"content":[{"no":"type"}]})");
  const auto sent = tools.post(call);
  EXPECT_EQ(sent->status(), 500);
  EXPECT_TRUE(check_tool_error(sent->body()));
}

TEST(ToolHttp, S1_25_TimeoutIs504) {
  Tools tools({.timeout = std::chrono::milliseconds{20}});
  const auto sent = tools.post(call);
  tools.loop().run_until([&] { return sent.done.done(); });
  EXPECT_EQ(sent->status(), 504);
  EXPECT_TRUE(check_tool_error(sent->body()));
  EXPECT_TRUE(tools.factory().session().closed);
}

TEST(ToolHttp, DisconnectCancelsTheCall) {
  Tools tools;
  const auto sent = tools.post(call);
  sent->leave();
  tools.loop().poll();
  EXPECT_TRUE(tools.factory().session().closed);
  EXPECT_TRUE(sent.done.done());
}

TEST(ToolStream, S1_30_S1_30b_RespondsWithEvents) {
  Tools tools({.stream = true});
  const auto sent = tools.post(call);
  EXPECT_EQ(sent->status(), 200);
  EXPECT_EQ(sent->head().content_type, "text/event-stream");
  EXPECT_FALSE(sent->ended());
  tools.send_to_client(result("c1", text_result), "c1");
  EXPECT_TRUE(sent->ended());
}

TEST(ToolStream, S1_31_S1_32_S1_33_S1_37_SendsFragmentsThenTheCompleteResult) {
  Tools tools({.stream = true});
  const auto sent = tools.post(call);
  tools.send_to_client(result("c1", R"({"content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]})"), "c1");
  EXPECT_EQ(sent->body(),
            "event: result\ndata: {\"content\":[{\"type\":\"text\",\"text\":\"1\"}]}\n\n"
            "event: result\ndata: {\"content\":[{\"type\":\"text\",\"text\":\"2\"}]}\n\n"
            "event: complete\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"c1\",\"result\":{\"content\":"
            "[{\"type\":\"text\",\"text\":\"1\"},{\"type\":\"text\",\"text\":\"2\"}]}}\n\n");
}

TEST(ToolStream, S1_34_ErrorIsTheLastEvent) {
  Tools tools({.stream = true});
  const auto sent = tools.post(call);
  tools.send_to_client(error(-32602, "Unknown tool: add"), "c1");
  EXPECT_EQ(sent->body(),
            "event: error\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"c1\",\"error\":{\"code\":-32602,\"message\":"
            "\"Unknown tool: add\"}}\n\n");
  EXPECT_TRUE(sent->ended());
}

TEST(ToolStream, S1_35_SendsHeartbeatsWhileIdle) {
  EXPECT_LT(ToolHttpOptions().heartbeat, std::chrono::seconds{30});
  Tools tools({.stream = true, .heartbeat = std::chrono::milliseconds{20}});
  const auto sent = tools.post(call);
  tools.loop().run_until([&] { return !sent->body().empty(); });
  EXPECT_EQ(sent->body(), ": heartbeat\n\n");
}

TEST(ToolStream, S1_36_IsNotBuffered) {
  Tools tools({.stream = true});
  const auto sent = tools.post(call);
  EXPECT_EQ(sent->header("X-Accel-Buffering"), "no");
  EXPECT_EQ(sent->header("Cache-Control"), "no-cache, no-transform");
}

TEST(ToolStream, InvalidRequestIsRejectedByStatus) {
  Tools tools({.stream = true});
  EXPECT_EQ(tools.post("{}")->status(), 400);
  EXPECT_EQ(tools.start("GET", "/rpc/stream", {})->status(), 405);
}

}  // namespace
}  // namespace fairlead::transport::tool_http_test
