#include "transport/http_client/http_answers.hpp"

namespace fairlead::transport::http_sse_client_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

class HttpSseClientTest : public HttpTransportTest {
 protected:
  /// A server whose stream starts with `first` and which answers POSTs with `posted`.
  Result<std::unique_ptr<Transport>> connect(std::string first, std::string posted = accepted(), bool stays = true) {
    server = &serve([first, posted, stays](const std::string& request, auto) {
      return request.starts_with("GET") ? event_answer(first, stays) : posted;
    });
    HttpClientOptions options{.url = server->url("/sse"), .bearer = "s3cret"};
    return loop.run(connect_http_sse(loop.loop(), scope, options));
  }

  Server* server = nullptr;
};

TEST_F(HttpSseClientTest, PostsToTheEndpoint) {
  auto it = connect("event: endpoint\ndata: /messages?sessionId=7\n\n");
  ASSERT_TRUE(it) << it.error().message;
  send(**it, ping);
  EXPECT_THAT(server->requests().at(0), HasSubstr("GET /sse HTTP/1.1\r\n"));
  EXPECT_THAT(server->requests().at(0), HasSubstr("Accept: text/event-stream\r\n"));
  EXPECT_THAT(server->requests().at(1), HasSubstr("POST /messages?sessionId=7 HTTP/1.1\r\n"));
  EXPECT_THAT(server->requests().at(1), HasSubstr("Authorization: Bearer s3cret\r\n"));
  EXPECT_EQ(body_of(server->requests().at(1)), ping);
}

TEST_F(HttpSseClientTest, ReceivesMessagesFromTheStream) {
  auto it = connect(
      "event: endpoint\ndata: messages\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n",
      accepted(), false);
  ASSERT_TRUE(it);
  EXPECT_THAT(receive(**it), HasSubstr(R"("id":1)"));
  EXPECT_THAT(receive(**it), HasSubstr("closed:"));
}

TEST_F(HttpSseClientTest, RejectsEndpointOfAnotherOrigin) {
  for (const auto evil :
       {"http://127.0.0.2:1/steal", "//evil.example.com/x", "https://127.0.0.1/x",
        "http://127.0.0.1@evil.example.com/x", "http://127.0.0.1:1/x", "http://127.0.0.1.evil.example.com/x",
        "javascript:alert(1)", "data:text/plain,x", "file:///etc/passwd", "\\\\evil.example.com\\x",
        "/\\evil.example.com/x", "http:evil.example.com/x", "ws://127.0.0.1/x", "http://[::1]/x", "http://localhost/x",
        "/m\tx", "/m HTTP/1.1"}) {
    const auto it = connect("event: endpoint\ndata: " + std::string(evil) + "\n\n");
    ASSERT_FALSE(it) << evil;
    EXPECT_EQ(it.error().kind, ErrorKind::malformed);
  }
}

TEST_F(HttpSseClientTest, ReportsARejectedPost) {
  auto it = connect("event: endpoint\ndata: /m\n\n", whole("400 Bad Request", "", "unknown session"));
  ASSERT_TRUE(it);
  send(**it, ping);
  const auto lost = receive_lost(**it);
  EXPECT_EQ(lost.error.code, 400);
  EXPECT_THAT(lost.error.message, HasSubstr("unknown session"));
}

TEST_F(HttpSseClientTest, Finding_S18_CloseCancelsAPendingPost) {
  auto it = connect("event: endpoint\ndata: /m\n\n", std::string(Server::no_response));
  ASSERT_TRUE(it);
  const auto sending = loop.start((*it)->send(message(ping)));
  loop.run_until([&] { return server->requests().size() >= 2; });
  EXPECT_FALSE(sending.done());
  (*it)->close();
  loop.finish(sending);
}

TEST_F(HttpSseClientTest, RejectsAnOrdinaryPage) {
  server = &serve([](const auto&, auto) { return whole("200 OK", "Content-Type: text/html\r\n", "<html>"); });
  HttpClientOptions options{.url = server->url()};
  EXPECT_FALSE(loop.run(connect_http_sse(loop.loop(), scope, options)));
}

TEST_F(HttpSseClientTest, CloseEndsTheStream) {
  auto it = connect("event: endpoint\ndata: /m\n\n");
  ASSERT_TRUE(it);
  finish(**it);
  turn_until([&] { return server->ended() == 1; });
}

}  // namespace
}  // namespace fairlead::transport::http_sse_client_test
