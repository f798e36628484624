#include <fairlead/http/client.hpp>

#include <gtest/gtest.h>

#include "support/scripted_http_server.hpp"
#include "support/test_loop.hpp"

namespace fairlead::http {
namespace {

using namespace std::chrono_literals;
using test::ScriptedHttpServer;

std::string answer(std::string_view body, std::string_view status = "200 OK", std::string_view fields = "") {
  return "HTTP/1.1 " + std::string(status) + "\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

bool says(const std::string& request, std::string_view text) {
  return request.find(text) != std::string::npos;
}

class HttpClientTest : public testing::Test {
 protected:
  ScriptedHttpServer& serve(ScriptedHttpServer::Script script) {
    servers_.push_back(std::make_unique<ScriptedHttpServer>(loop.loop(), std::move(script)));
    return *servers_.back();
  }
  ScriptedHttpServer& serve(std::string same) {
    return serve([same](const auto&, auto) { return same; });
  }

  Result<ClientResponse> fetch(ClientRequest request) {
    auto task = client.fetch(std::move(request));
    return loop.run(std::move(task));
  }

  void TearDown() override {
    for (const auto& server : servers_) loop.run(server->stop());
  }

  test::TestLoop loop;
  Client client{loop.loop()};

 private:
  std::vector<std::unique_ptr<ScriptedHttpServer>> servers_;
};

TEST_F(HttpClientTest, SendsWhatWasAskedForAndNoMore) {
  auto& server = serve(answer("ok"));
  const auto got = fetch({.method = "POST", .url = server.url("/mcp?x=1"), .headers = {{"Accept", "a/b"}}, .body = "{}"});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->status, 200);
  EXPECT_EQ(got->body, "ok");
  EXPECT_EQ(server.requests().at(0), "POST /mcp?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
                                         "\r\nUser-Agent: fairlead\r\nAccept: a/b\r\nContent-Length: 2\r\n\r\n{}");
}

TEST_F(HttpClientTest, TellsAnEmptyPathAndALengthOfZero) {
  auto& server = serve(answer("ok"));
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url("")}));
  EXPECT_TRUE(server.requests().at(0).starts_with("POST / HTTP/1.1\r\n"));
  EXPECT_TRUE(says(server.requests().at(0), "Content-Length: 0\r\n"));
}

TEST_F(HttpClientTest, KeepsAConnectionForTheNextRequest_S1_26_KeepAliveForSequentialCalls) {
  auto& server = serve(answer("ok"));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "x"}));
  EXPECT_EQ(server.connections(), 1U);
  EXPECT_EQ(client.idle(), 1U);
}

TEST_F(HttpClientTest, ClosesAConnectionThatTheServerWillClose) {
  auto& server = serve(answer("ok", "200 OK", "Connection: close\r\n"));
  ASSERT_TRUE(fetch({.url = server.url()}));
  EXPECT_EQ(client.idle(), 0U);
}

TEST_F(HttpClientTest, DoesNotKeepAConnectionLongerThanTheServerSays) {
  auto& server = serve(answer("ok", "200 OK", "Keep-Alive: timeout=1\r\n"));
  ASSERT_TRUE(fetch({.url = server.url()}));
  EXPECT_EQ(client.idle(), 0U);
}

TEST_F(HttpClientTest, UsesANewConnectionWhenAKeptOneWasClosed) {
  auto& server = serve(answer("ok") + std::string(ScriptedHttpServer::hang_up));
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "1"}));
  loop.poll();
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "2"}));
  EXPECT_EQ(server.connections(), 2U);
}

TEST_F(HttpClientTest, RepeatsAGetThatAKeptConnectionLost) {
  auto& server = serve([n = 0](const auto&, auto connection) mutable {
    return connection == 0 && ++n == 2 ? std::string() : answer("ok");
  });
  ASSERT_TRUE(fetch({.url = server.url()}));
  ASSERT_TRUE(fetch({.url = server.url()}));
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(HttpClientTest, NeverRepeatsAPostThatMayHaveArrived) {
  auto& server = serve([n = 0](const auto&, auto) mutable { return ++n == 2 ? std::string() : answer("ok"); });
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "1"}));
  const auto lost = fetch({.method = "POST", .url = server.url(), .body = "2"});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::closed);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(HttpClientTest, ReadsChunkedAndCloseDelimitedBodies) {
  auto& chunked = serve("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n6;x=y\r\n world\r\n0\r\n\r\n");
  EXPECT_EQ(fetch({.url = chunked.url()})->body, "Hello world");
  EXPECT_EQ(client.idle(), 1U);
  auto& until_close = serve("HTTP/1.1 200 OK\r\n\r\nall of it" + std::string(ScriptedHttpServer::hang_up));
  EXPECT_EQ(fetch({.url = until_close.url()})->body, "all of it");
  EXPECT_EQ(client.idle(), 1U);
}

TEST_F(HttpClientTest, SkipsInterimAnswers) {
  auto& server = serve("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answer("final"));
  EXPECT_EQ(fetch({.url = server.url()})->body, "final");
}

TEST_F(HttpClientTest, ExpectsNoBodyWhereNoneCanBe) {
  auto& server = serve("HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(fetch({.url = server.url()})->status, 204);
  auto& head = serve("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
  EXPECT_EQ(fetch({.method = "HEAD", .url = head.url()})->status, 200);
  EXPECT_EQ(client.idle(), 2U);
}

TEST_F(HttpClientTest, TellsAnAnswerThatWasCutOff) {
  auto& server = serve("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf" + std::string(ScriptedHttpServer::hang_up));
  const auto got = fetch({.url = server.url()});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::closed);
}

TEST_F(HttpClientTest, RefusesAnAnswerWithTwoLengths) {
  auto& server = serve("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  const auto got = fetch({.url = server.url()});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, RefusesAnAnswerThatIsNotHttp) {
  auto& server = serve("SSH-2.0-OpenSSH_9.2\r\n\r\n");
  EXPECT_EQ(fetch({.url = server.url()}).error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, RefusesABodyBeyondTheLimit) {
  Client small{loop.loop(), {.max_body = 10}};
  auto& server = serve(answer("01234567890"));
  auto task = small.fetch({.url = server.url()});
  EXPECT_EQ(loop.run(std::move(task)).error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, ReadsAnAnswerThatCameBeforeTheBodyWasRead) {
  auto& server = serve(answer("no", "413 Content Too Large", "Connection: close\r\n"));
  const auto got = fetch({.method = "POST", .url = server.url(), .body = std::string(100'000, 'x')});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->status, 413);
}

TEST_F(HttpClientTest, GivesUpAtTheDeadlineAndClosesTheConnection) {
  auto& server = serve(std::string(ScriptedHttpServer::stay_silent));
  const auto got = fetch({.url = server.url(), .deadline = Deadline::in(50ms)});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::timeout);
  loop.poll();
  while (server.ended() == 0) loop.context().run_one();
  EXPECT_EQ(server.ended(), 1U);
}

TEST_F(HttpClientTest, GivesABodyPieceByPiece) {
  auto& server = serve("HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\nTransfer-Encoding: chunked"
                       "\r\n\r\n9\r\ndata: 1\n\n\r\n" + std::string(ScriptedHttpServer::stay_silent));
  auto stream = loop.run(client.open({.url = server.url()}));
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->head().media_type(), "text/event-stream");
  EXPECT_EQ(loop.run((*stream)->next()), Result<std::string>("data: 1\n\n"));
  stream->reset();
  while (server.ended() == 0) loop.context().run_one();
}

TEST_F(HttpClientTest, SaysWhereNobodyListens) {
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

TEST_F(HttpClientTest, TurnsCredentialsInTheUrlIntoAHeader) {
  auto& server = serve(answer("ok"));
  const auto port = std::to_string(server.port());
  const auto got = fetch({.url = "http://Aladdin:open%20sesame@127.0.0.1:" + port + "/x"});
  ASSERT_TRUE(got);
  EXPECT_TRUE(says(server.requests().at(0), "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"));
  EXPECT_TRUE(server.requests().at(0).starts_with("GET /x "));
  EXPECT_EQ(got->url.find("sesame"), std::string::npos);
}

TEST_F(HttpClientTest, LetsNoHeaderStartAnother) {
  const auto got = fetch({.url = "http://127.0.0.1:1/", .headers = {{"X", "a\r\nEvil: 1"}}});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::invalid);
  EXPECT_EQ(fetch({.url = "http://127.0.0.1:1/", .headers = {{"X: y\r\nZ", "a"}}}).error().kind, ErrorKind::invalid);
}

TEST_F(HttpClientTest, FollowsARedirectWithMethodAndBody) {
  auto& server = serve([](const std::string& request, auto) {
    if (request.starts_with("POST /old")) return answer("", "307 Temporary Redirect", "Location: /new?x=1\r\n");
    return answer("there");
  });
  const auto got = fetch({.method = "POST", .url = server.url("/old"), .headers = {{"Authorization", "Bearer s"}}, .body = "body"});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->body, "there");
  EXPECT_EQ(got->url, server.url("/new?x=1"));
  EXPECT_TRUE(server.requests().at(1).starts_with("POST /new?x=1 "));
  EXPECT_TRUE(server.requests().at(1).ends_with("\r\n\r\nbody"));
  EXPECT_TRUE(says(server.requests().at(1), "Authorization: Bearer s"));
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(HttpClientTest, DoesNotTurnAPostIntoAGet) {
  auto& server = serve(answer("", "302 Found", "Location: /new\r\n"));
  EXPECT_EQ(fetch({.method = "POST", .url = server.url(), .body = "x"})->status, 302);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(HttpClientTest, CarriesNoCredentialsToAnotherOrigin) {
  auto& other = serve(answer("there"));
  auto& server = serve(answer("", "308 Permanent Redirect", "Location: " + other.url("/x") + "\r\n"));
  const auto got = fetch({.method = "POST",
                          .url = server.url(),
                          .headers = {{"Authorization", "Bearer secret"},
                                      {"Cookie", "secret"},
                                      {"mcp-session-id", "secret"},
                                      {"X-Api-Key", "secret"},
                                      {"X-Whatever", "secret"},
                                      {"Accept", "application/json"}},
                          .body = "x"});
  ASSERT_TRUE(got);
  EXPECT_FALSE(says(other.requests().at(0), "secret"));
  EXPECT_TRUE(says(other.requests().at(0), "Accept: application/json"));
}

TEST_F(HttpClientTest, CarriesNoCredentialsOfTheUrlToAnotherOrigin) {
  auto& other = serve(answer("there"));
  auto& server = serve(answer("", "307 x", "Location: " + other.url("/x") + "\r\n"));
  ASSERT_TRUE(fetch({.url = "http://user:secret@127.0.0.1:" + std::to_string(server.port())}));
  EXPECT_FALSE(says(other.requests().at(0), "Authorization"));
}

TEST_F(HttpClientTest, EndsARedirectThatGoesRoundInCircles) {
  auto& server = serve(answer("", "302 Found", "Location: /again\r\n"));
  const auto got = fetch({.url = server.url()});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::refused);
  EXPECT_EQ(server.requests().size(), 6U);
}

TEST_F(HttpClientTest, OpensAWebSocket) {
  auto& server = serve([](const std::string& request, auto) {
    const auto at = request.find("Sec-WebSocket-Key: ");
    EXPECT_NE(at, std::string::npos);
    EXPECT_TRUE(says(request, "Sec-WebSocket-Protocol: mcp\r\n"));
    return std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n") +
           "Sec-WebSocket-Accept: wrong\r\n\r\n";
  });
  WebSocketOptions options{.subprotocols = {"mcp"}};
  auto opened = loop.run(client.websocket({.url = "ws" + server.url().substr(4)}, options));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, TellsTheStatusOfAServerThatOpensNoWebSocket) {
  auto& server = serve(answer("", "403 Forbidden"));
  auto opened = loop.run(client.websocket({.url = "ws" + server.url().substr(4)}));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::refused);
  EXPECT_EQ(opened.error().code, 403);
}

}  // namespace
}  // namespace fairlead::http
