#include "transport/http_client/http_answers.hpp"

namespace fairlead::transport::tool_client_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto call =
    R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1},"_meta":{"progressToken":1}}})";
constexpr auto sum = R"({"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"1"}]}})";

class ToolClientTest : public HttpTransportTest {
 protected:
  Transport& open(std::string answer, std::string_view kind = "rpc+") {
    server = &serve([answer](const auto&, auto) { return answer; });
    client = make_tool_client(loop.loop(), scope,
                              {.url = std::string(kind) + server->url("/rpc"), .headers = {{"X-Team", "red"}}});
    return *client;
  }
  std::string send_request(std::string answer, std::string_view kind = "rpc+") {
    auto& it = open(std::move(answer), kind);
    send(it, call);
    return receive(it);
  }

  Server* server = nullptr;
  std::unique_ptr<Transport> client;
};

TEST_F(ToolClientTest, PostsAMinimalCall) {
  EXPECT_EQ(send_request(json_answer(sum)), sum);
  EXPECT_EQ(body_of(server->requests().at(0)),
            R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}})");
  EXPECT_THAT(server->requests().at(0), HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(server->requests().at(0), HasSubstr("X-Team: red\r\n"));
}

TEST_F(ToolClientTest, ValidatesResponses) {
  EXPECT_THAT(send_request(json_answer(R"({"jsonrpc":"2.0","id":3,"result":{"content":[]}})")),
              HasSubstr("lost 3: not a tool response"));
  EXPECT_THAT(send_request(json_answer(R"({"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text"}],"extra":1}})")),
              HasSubstr("not a tool response"));
  EXPECT_THAT(send_request(json_answer(R"({"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text"}]}})")),
              HasSubstr("does not match the call"));
  EXPECT_THAT(send_request(json_answer("nonsense")), HasSubstr("lost 3"));
}

TEST_F(ToolClientTest, ParsesErrorBodies) {
  EXPECT_THAT(send_request(whole("404 Not Found", "",
                                 R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no tool"}})")),
              HasSubstr(R"("code":-32601,"message":"no tool")"));
}

TEST_F(ToolClientTest, ReportsTheHttpStatus) {
  auto& it = open(whole("503 Service Unavailable", "", "later"));
  send(it, call);
  EXPECT_EQ(receive_lost(it).error.code, 503);
}

TEST_F(ToolClientTest, AnswersOtherRequestsLocally) {
  auto& it = open(json_answer(sum));
  send(it, R"({"jsonrpc":"2.0","id":1,"method":"initialize"})");
  EXPECT_THAT(receive(it), HasSubstr(R"("capabilities":{"tools":{}})"));
  send(it, R"({"jsonrpc":"2.0","id":2,"method":"prompts/list"})");
  EXPECT_THAT(receive(it), HasSubstr("-32601"));
  EXPECT_EQ(server->requests().size(), 0U);
}

TEST_F(ToolClientTest, ReadsTheCompleteResponseFromEvents) {
  const auto answer = event_answer(
      "event: result\ndata: {\"content\":[{\"type\":\"text\",\"text\":\"1\"}]}\n\n: heartbeat\n\n"
      "event: complete\ndata: " +
      std::string(sum) + "\n\n");
  EXPECT_EQ(send_request(answer, "sse+"), sum);
  EXPECT_THAT(server->requests().at(0), HasSubstr("Accept: text/event-stream\r\n"));
}

TEST_F(ToolClientTest, AssemblesFragments_S1_38_FragmentsAreReassembled) {
  const auto answer = event_answer(
      "event: result\ndata: {\"content\":[{\"type\":\"text\",\"text\":\"one\"}]}\n\n"
      "event: result\ndata: {\"content\":[{\"type\":\"text\",\"text\":\"two\"}],\"isError\":true}\n\n"
      "event: complete\ndata: {}\n\n");
  EXPECT_EQ(send_request(answer, "sse+"), R"({"jsonrpc":"2.0","id":3,"result":{"isError":true,"content":[)"
                                          R"({"type":"text","text":"one"},{"type":"text","text":"two"}]}})");
}

TEST_F(ToolClientTest, AcceptsACompleteResponseInAResultEvent) {
  EXPECT_EQ(send_request(event_answer("event: result\ndata: " + std::string(sum) + "\n\n"), "sse+"), sum);
  EXPECT_EQ(send_request(event_answer("data: " + std::string(sum) + "\n\n"), "sse+"), sum);
}

TEST_F(ToolClientTest, EndsAtAnErrorEvent) {
  EXPECT_THAT(
      send_request(
          event_answer(
              "event: error\ndata: {\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32603,\"message\":\"x\"}}\n\n",
              true),
          "sse+"),
      HasSubstr("-32603"));
}

TEST_F(ToolClientTest, RejectsAnIncompleteResponse) {
  EXPECT_THAT(send_request(event_answer("event: result\ndata: {\"content\":[{\"type\":\"text\"}]}\n\n"), "sse+"),
              HasSubstr("lost 3"));
}

TEST_F(ToolClientTest, AbortsACancelledRequest_S1_39_TimeoutAbortsTheHttpRequest) {
  auto& it = open(std::string(Server::no_response));
  send(it, call);
  turn_until([&] { return server->requests().size() == 1; });
  send(it, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}})");
  turn_until([&] { return server->ended() == 1; });
}

}  // namespace
}  // namespace fairlead::transport::tool_client_test
