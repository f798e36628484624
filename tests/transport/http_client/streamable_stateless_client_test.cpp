#include "transport/http_client/stateless_requests.hpp"

namespace fairlead::transport::streamable_stateless_client_test {
namespace {

using namespace stateless_requests;
using testing::HasSubstr;
using testing::Not;

TEST_F(StreamableClientRequests, RepeatMethodAndNameInHeaders) {
  auto& it = open(json_answer(result(7)));
  send(it, request(7, "tools/call", R"("name":"add","arguments":{})"));
  receive(it);
  EXPECT_THAT(sent(0), HasSubstr("MCP-Protocol-Version: 2026-07-28\r\n"));
  EXPECT_THAT(sent(0), HasSubstr("Mcp-Method: tools/call\r\n"));
  EXPECT_THAT(sent(0), HasSubstr("Mcp-Name: add\r\n"));
}

TEST_F(StreamableClientRequests, EncodeNonAsciiNames) {
  auto& it = open(json_answer(result(7)));
  send(it, request(7, "resources/read", R"("uri":"x://ä")"));
  receive(it);
  EXPECT_THAT(sent(0), HasSubstr("Mcp-Name: =?base64?eDovL8Ok?=\r\n"));
}

TEST_F(StreamableClientRequests, UseNoSession) {
  auto& it = open(json_answer(result(7), "Mcp-Session-Id: trap\r\n"));
  for (int i = 0; i < 2; ++i) {
    send(it, request(7, "tools/list"));
    receive(it);
  }
  finish(it);
  ASSERT_EQ(server->requests().size(), 2U);
  EXPECT_THAT(sent(1), Not(HasSubstr("trap")));
}

TEST_F(StreamableClientRequests, SendAnnotatedArgumentsAsHeaders) {
  auto& it = open([](const std::string& posted, auto) {
    return json_answer(has_method(posted, "tools/list") ? tool_list(1, marked) : result(2));
  });
  send(it, request(1, "tools/list"));
  receive(it);
  send(it, request(2, "tools/call", R"("name":"run","arguments":{"region":"us-west1"})"));
  receive(it);
  EXPECT_THAT(sent(1), HasSubstr("Mcp-Param-Region: us-west1\r\n"));
}

TEST_F(StreamableClientRequests, HideToolsWithInvalidHeaderAnnotations) {
  constexpr auto wrong =
      R"({"name":"bad","inputSchema":{"type":"object","properties":{"n":{"type":"number","x-mcp-header":"N"}}}})";
  auto& it = open(json_answer(tool_list(1, std::string(wrong) + "," + marked)));
  send(it, request(1, "tools/list"));
  const auto list = receive(it);
  EXPECT_THAT(list, Not(HasSubstr("bad")));
  EXPECT_THAT(list, HasSubstr(R"("run")"));
}

TEST_F(StreamableClientRequests, AreRetriedWithMissingHeaders) {
  auto& it = open([](const std::string& posted, auto) {
    if (has_method(posted, "tools/list")) {
      const bool second = has(posted, R"("cursor":"p2")");
      return json_answer(second ? R"({"jsonrpc":"2.0","id":"fairlead-list","result":{"tools":[)" + std::string(marked) +
                                      "]}}"
                                : R"({"jsonrpc":"2.0","id":"fairlead-list","result":{"tools":[],"nextCursor":"p2"}})");
    }
    if (has(posted, "Mcp-Param-Region: eu")) return json_answer(result(2));
    return whole("400 Bad Request", "",
                 R"({"jsonrpc":"2.0","id":2,"error":{"code":-32020,"message":"Header mismatch"}})");
  });
  send(it, request(2, "tools/call", R"("name":"run","arguments":{"region":"eu"})"));
  EXPECT_THAT(receive(it), HasSubstr("complete"));
  EXPECT_EQ(server->requests().size(), 4U);
}

TEST_F(StreamableClientRequests, AreRetriedOnlyOnce) {
  auto& it = open([](const std::string& posted, auto) {
    if (has_method(posted, "tools/list"))
      return json_answer(R"({"jsonrpc":"2.0","id":"fairlead-list","result":{"tools":[]}})");
    return whole("400 Bad Request", "",
                 R"({"jsonrpc":"2.0","id":2,"error":{"code":-32020,"message":"Header mismatch"}})");
  });
  send(it, request(2, "tools/call", R"("name":"run")"));
  EXPECT_THAT(receive(it), HasSubstr("-32020"));
  EXPECT_EQ(server->requests().size(), 3U);
}

TEST_F(StreamableClientRequests, AreCancelledByClosingTheirStream) {
  auto& it = open(event_answer("", true));
  send(it, request(5, "tools/call", R"("name":"slow")"));
  turn_until([&] { return server->requests().size() == 1; });
  send(it, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  turn_until([&] { return server->ended() == 1; });
  EXPECT_EQ(server->requests().size(), 1U);
}

TEST_F(StreamableClientRequests, FailWithTheirStream) {
  auto& it = open(event_answer("id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n"));
  send(it, request(5, "tools/call", R"("name":"slow")"));
  receive(it);
  EXPECT_EQ(receive_lost(it).error.kind, ErrorKind::closed);
  EXPECT_EQ(server->requests().size(), 1U);
}

TEST_F(StreamableClientRequests, SendConfiguredHeaders_S1_21_CustomHeadersAreAdded) {
  HttpClientOptions options{.headers = {{"X-Team", "red"}}, .bearer = "s3cret"};
  auto& it = open(json_answer(result(7)), options);
  send(it, request(7, "tools/list"));
  receive(it);
  EXPECT_THAT(sent(0), HasSubstr("X-Team: red\r\n"));
  EXPECT_THAT(sent(0), HasSubstr("Authorization: Bearer s3cret\r\n"));
}

TEST_F(StreamableClientRequests, ReportTheHttpStatusAsCode_S1_24_StatusBecomesAnMcpError) {
  for (const std::string status : {"400 Bad Request", "401 Unauthorized", "404 Not Found", "500 Oops", "503 Busy"}) {
    auto& it = open(whole(status, "Content-Type: text/plain\r\n", "no idea"));
    send(it, request(7, "tools/list"));
    const auto lost = receive_lost(it);
    EXPECT_EQ(lost.id, jsonrpc::Id(7));
    EXPECT_EQ(lost.error.kind, ErrorKind::refused);
    EXPECT_EQ(lost.error.code, std::stoi(status));
    EXPECT_THAT(lost.error.message, HasSubstr("no idea"));
    EXPECT_THAT(lost.error.data, HasSubstr(R"("source":"local")"));
    finish(it);
  }
}

TEST_F(StreamableClientRequests, ParseErrorBodiesOfAnyContentType) {
  auto& it = open(whole("400 Bad Request", "Content-Type: text/plain\r\n",
                        R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"not initialized"},"id":null})"));
  send(it, request(7, "tools/list"));
  EXPECT_THAT(receive(it), HasSubstr(R"("id":7,"error":{"code":-32000)"));
}

TEST_F(StreamableClientRequests, RejectAnEmptyResponse) {
  for (const auto& nothing : {accepted(), json_answer(""), whole("200 OK", "Content-Type: text/html\r\n", "<html>"),
                              json_answer(result(8))}) {
    auto& it = open(nothing);
    send(it, request(7, "tools/list"));
    std::string last;
    while (!last.starts_with("lost 7")) last = receive(it);
    finish(it);
  }
}

TEST_F(StreamableClientRequests, ReportAnUnreachableServer) {
  auto& it = open("");
  send(it, request(7, "tools/list"));
  EXPECT_EQ(receive_lost(it).error.kind, ErrorKind::closed);
}

TEST_F(StreamableClientRequests, DoNotSendTheTokenToAnotherOrigin) {
  auto& other = serve([](const auto&, auto) { return json_answer(result(7)); });
  HttpClientOptions options{.headers = {{"X-Api-Key", "s3cret"}}, .bearer = "s3cret"};
  auto& it = open(whole("307 Temporary Redirect", "Location: " + other.url("/mcp") + "\r\n", ""), options);
  send(it, request(7, "tools/list"));
  EXPECT_THAT(receive(it), HasSubstr(R"("id":7)"));
  EXPECT_THAT(other.requests().at(0), Not(HasSubstr("s3cret")));
}

TEST_F(StreamableClientRequests, EndWithTheTransport) {
  auto& it = open(std::string(Server::no_response));
  send(it, request(7, "tools/list"));
  turn_until([&] { return server->requests().size() == 1; });
  finish(it);
  EXPECT_THAT(receive(it), HasSubstr("closed:"));
  auto late = message(request(8, "tools/list"));
  EXPECT_FALSE(loop.run(it.send(std::move(late))));
}

}  // namespace
}  // namespace fairlead::transport::streamable_stateless_client_test
