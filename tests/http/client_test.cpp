#include <fairlead/http/client.hpp>

#include "http/client_fixture.hpp"

namespace fairlead::http::client_test {
namespace {

using namespace std::chrono_literals;

TEST_F(HttpClientTest, SendsExactlyTheRequest) {
  auto& server = serve(answer("ok"));
  const auto got =
      fetch({.method = "POST", .url = server.url("/mcp?x=1"), .headers = {{"Accept", "a/b"}}, .body = "{}"});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->status, 200);
  EXPECT_EQ(got->body, "ok");
  EXPECT_EQ(server.requests().at(0), "POST /mcp?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                                         "\r\nUser-Agent: fairlead\r\nAccept: a/b\r\nContent-Length: 2\r\n\r\n{}");
}

TEST_F(HttpClientTest, SendsSlashAndZeroLength) {
  auto& server = serve(answer("ok"));
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url("")}));
  EXPECT_TRUE(server.requests().at(0).starts_with("POST / HTTP/1.1\r\n"));
  EXPECT_TRUE(contains(server.requests().at(0), "Content-Length: 0\r\n"));
}

TEST_F(HttpClientTest, ReusesConnections_S1_26_KeepAliveForSequentialCalls) {
  auto& server = serve(answer("ok"));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "x"}));
  EXPECT_EQ(server.connections(), 1U);
  EXPECT_EQ(client.idle(), 1U);
}

TEST_F(HttpClientTest, DoesNotPoolAClosingConnection) {
  auto& server = serve(answer("ok", "200 OK", "Connection: close\r\n"));
  ASSERT_TRUE(fetch({.url = server.url()}));
  EXPECT_EQ(client.idle(), 0U);
}

TEST_F(HttpClientTest, RespectsKeepAliveTimeoutOfTheServer) {
  auto& server = serve(answer("ok", "200 OK", "Keep-Alive: timeout=1\r\n"));
  ASSERT_TRUE(fetch({.url = server.url()}));
  EXPECT_EQ(client.idle(), 0U);
}

TEST_F(HttpClientTest, ReconnectsWhenAPooledConnectionWasClosed) {
  auto& server = serve(answer("ok") + std::string(ScriptedHttpServer::disconnect));
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "1"}));
  loop.poll();
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "2"}));
  EXPECT_EQ(server.connections(), 2U);
}

TEST_F(HttpClientTest, RetriesAGetOnAClosedPooledConnection) {
  auto& server = serve([n = 0](const auto&, auto connection) mutable {
    return connection == 0 && ++n == 2 ? std::string() : answer("ok");
  });
  ASSERT_TRUE(fetch({.url = server.url()}));
  ASSERT_TRUE(fetch({.url = server.url()}));
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(HttpClientTest, NeverRetriesAPostThatMayHaveArrived) {
  auto& server = serve([n = 0](const auto&, auto) mutable { return ++n == 2 ? std::string() : answer("ok"); });
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "1"}));
  const auto lost = fetch({.method = "POST", .url = server.url(), .body = "2"});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::closed);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(HttpClientTest, ReadsChunkedAndCloseDelimitedBodies) {
  auto& chunked =
      serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n6;x=y\r\n world\r\n0\r\n\r\n");
  EXPECT_EQ(fetch({.url = chunked.url()})->body, "Hello world");
  EXPECT_EQ(client.idle(), 1U);
  auto& until_close = serve("HTTP/1.1 200 OK\r\n\r\nall of it" + std::string(ScriptedHttpServer::disconnect));
  EXPECT_EQ(fetch({.url = until_close.url()})->body, "all of it");
  EXPECT_EQ(client.idle(), 1U);
}

TEST_F(HttpClientTest, SkipsInterimResponses) {
  auto& server = serve("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer("final"));
  EXPECT_EQ(fetch({.url = server.url()})->body, "final");
}

TEST_F(HttpClientTest, ExpectsNoBodyForHeadAnd204) {
  auto& server = serve("HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(fetch({.url = server.url()})->status, 204);
  auto& head = serve("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
  EXPECT_EQ(fetch({.method = "HEAD", .url = head.url()})->status, 200);
  EXPECT_EQ(client.idle(), 2U);
}

TEST_F(HttpClientTest, ReportsATruncatedResponse) {
  auto& server =
      serve("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf" + std::string(ScriptedHttpServer::disconnect));
  const auto got = fetch({.url = server.url()});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::closed);
}

TEST_F(HttpClientTest, RejectsTwoContentLengths) {
  auto& server = serve("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  const auto got = fetch({.url = server.url()});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, RejectsUnrequestedCompression) {
  auto& server = serve(answer("...", "200 OK", "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(fetch({.url = server.url()}).error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, RejectsAResponseThatIsNotHttp) {
  auto& server = serve("SSH-2.0-OpenSSH_9.2\r\n\r\n");
  EXPECT_EQ(fetch({.url = server.url()}).error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, RejectsABodyBeyondTheLimit) {
  Client small{loop.loop(), {.max_body = 10}};
  auto& server = serve(answer("01234567890"));
  auto task = small.fetch({.url = server.url()});
  EXPECT_EQ(loop.run(std::move(task)).error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, ReadsAnEarlyResponse) {
  auto& server = serve(answer("no", "413 Content Too Large", "Connection: close\r\n"));
  const auto got = fetch({.method = "POST", .url = server.url(), .body = std::string(100'000, 'x')});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 413);
}

TEST_F(HttpClientTest, ClosesTheConnectionOnTimeout) {
  auto& server = serve(std::string(ScriptedHttpServer::no_response));
  const auto got = fetch({.url = server.url(), .deadline = Deadline::in(50ms)});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::timeout);
  loop.run_until([&] { return server.ended() > 0; });
  EXPECT_EQ(server.ended(), 1U);
}

TEST_F(HttpClientTest, StreamsABody) {
  auto& server = serve(
      "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\nTransfer-Encoding: chunked"
      "\r\n\r\n9\r\ndata: 1\n\n\r\n" +
      std::string(ScriptedHttpServer::no_response));
  auto stream = loop.run(client.open({.url = server.url()}));
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->head().media_type(), "text/event-stream");
  EXPECT_EQ(loop.run((*stream)->next()), Result<std::string>("data: 1\n\n"));
  stream->reset();
  loop.run_until([&] { return server.ended() > 0; });
}

TEST_F(HttpClientTest, ErrorNamesTheAddress) {
  std::uint16_t port = 0;
  {
    ScriptedHttpServer gone(loop.loop(), nullptr);
    port = gone.port();
    loop.run(gone.stop());
  }
  const auto got = fetch({.url = "http://127.0.0.1:" + std::to_string(port) + "/"});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::closed);
  EXPECT_NE(got.error().message.find(std::to_string(port)), std::string::npos);
}

TEST_F(HttpClientTest, SendsUrlCredentialsAsHeader) {
  auto& server = serve(answer("ok"));
  const auto port = std::to_string(server.port());
  const auto got = fetch({.url = "http://Aladdin:open%20sesame@127.0.0.1:" + port + "/x"});
  ASSERT_TRUE(got);
  EXPECT_TRUE(contains(server.requests().at(0), "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"));
  EXPECT_TRUE(server.requests().at(0).starts_with("GET /x "));
  EXPECT_EQ(got->url.find("sesame"), std::string::npos);
}

TEST_F(HttpClientTest, RejectsHeaderInjection) {
  const auto got = fetch({.url = "http://127.0.0.1:1/", .headers = {{"X", "a\r\nEvil: 1"}}});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::invalid);
  EXPECT_EQ(fetch({.url = "http://127.0.0.1:1/", .headers = {{"X: y\r\nZ", "a"}}}).error().kind, ErrorKind::invalid);
}

}  // namespace
}  // namespace fairlead::http::client_test
