#include <fairlead/base/start_task.hpp>
#include <fairlead/http/client.hpp>

#include "http/client_fixture.hpp"
#include "http/http_server.hpp"
#include "support/certificates.hpp"

namespace fairlead::http::client_post_test {
namespace {

constexpr std::string_view json = "Content-Type: application/json\r\n";

using Opened = Result<std::unique_ptr<ResponseStream>>;

/// A server that has responded once, so that a connection is pooled, and then sends what the test scripts.
class PreparedPosts : public HttpClientTest {
 protected:
  ScriptedHttpServer& serve_keep_alive(ScriptedHttpServer::Script rest) {
    auto& server = serve([rest = std::move(rest), n = 0](const auto& request, auto connection) mutable {
      return ++n == 1 ? answer("1") : rest(request, connection);
    });
    EXPECT_TRUE(fetch({.method = "POST", .url = server.url("/mcp"), .body = "1"}));
    return server;
  }
  ScriptedHttpServer& serve_keep_alive(std::string same) {
    return serve_keep_alive([same](const auto&, auto) { return same; });
  }

  Opened post(const std::string& url, std::string body, std::vector<Header> headers = {}) {
    return post(client, url, std::move(body), std::move(headers));
  }
  Opened post(Client& by, const std::string& url, std::string body, std::vector<Header> headers = {}) {
    return loop.run(opening(by, url, std::move(body), std::move(headers)));
  }
  static Task<Opened> opening(Client& by, const std::string& url, std::string body, std::vector<Header> headers = {}) {
    ClientRequest request{.body = std::move(body)};
    request.prepared = by.prepare_post(url, std::move(headers)).value();
    return by.open(std::move(request));
  }
  std::string rest_of(const Opened& opened) {
    return opened ? loop.run((*opened)->rest(1'000'000)).value_or("not read") : opened.error().message;
  }
};

TEST_F(PreparedPosts, ReceiveHeadAndBodyWithOneReadAndFreeTheConnection) {
  auto& server = serve_keep_alive(answer("[2]", "200 OK", "Content-Type: Application/JSON\r\nDate: today\r\n"));
  const auto got = post(server.url("/mcp"), "two");
  ASSERT_TRUE(got);
  EXPECT_EQ((*got)->head().status, 200);
  EXPECT_EQ((*got)->head().header("date"), "today");
  EXPECT_EQ((*got)->head().media_type(), "application/json");
  EXPECT_EQ(client.idle(), 0U);
  auto body = (*got)->rest(1000);
  ASSERT_TRUE(body.is_ready());
  EXPECT_EQ(body.take(), "[2]");
  EXPECT_EQ(client.idle(), 1U);
  EXPECT_TRUE((*got)->next().is_ready());
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(PreparedPosts, AreSentBeforeTheFirstWait) {
  auto& server = serve_keep_alive(answer("2", "200 OK", json));
  bool ended = false;
  // Without a turn of the client: the request is written by start().
  start(loop.loop().executor, opening(client, server.url("/mcp"), "2"), [&](const auto&) { ended = true; });
  EXPECT_FALSE(ended);
  EXPECT_EQ(client.idle(), 0U);
  loop.run_until([&] { return ended; });
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(PreparedPosts, SendTheSameBytesAsOthers) {
  auto& server = serve_keep_alive(answer("2", "200 OK", json));
  for (const auto* accept : {"a/b", "a/b", "c/d", "c/d"}) {
    ASSERT_EQ(rest_of(post(server.url("/mcp"), "{}", {{"Accept", accept}})), "2");
    const auto prepared = server.requests().back();
    ASSERT_TRUE(fetch({.method = "POST", .url = server.url("/mcp"), .headers = {{"Accept", accept}}, .body = "{}"}));
    EXPECT_EQ(prepared, server.requests().back());
  }
  ASSERT_EQ(rest_of(post(server.url("/other"), "longer", {{"Accept", "c/d"}})), "2");
  EXPECT_TRUE(server.requests().back().starts_with("POST /other HTTP/1.1\r\n"));
  EXPECT_TRUE(server.requests().back().ends_with("Content-Length: 6\r\n\r\nlonger"));
}

TEST_F(PreparedPosts, ConnectIfThePoolIsEmpty) {
  auto& server = serve(answer("2", "200 OK", json));
  EXPECT_EQ(rest_of(post(server.url(), "body")), "2");
  EXPECT_EQ(server.connections(), 1U);
  EXPECT_EQ(client.idle(), 1U);
}

TEST_F(PreparedPosts, ReportAnInvalidUrlOrHeader) {
  for (const auto* url : {"no url", "ws://127.0.0.1/"}) {
    const auto prepared = client.prepare_post(url, {});
    ASSERT_FALSE(prepared) << url;
    EXPECT_EQ(prepared.error().kind, ErrorKind::invalid) << prepared.error().message;
  }
  EXPECT_FALSE(client.prepare_post("http://127.0.0.1/", {{"A", "b\r\nC: d"}}));
}

TEST_F(PreparedPosts, DoNotUseAConnectionThatWasClosed) {
  auto& server = serve(answer("1") + std::string(ScriptedHttpServer::disconnect));
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "1"}));
  loop.poll();
  EXPECT_EQ(rest_of(post(server.url(), "2")), "1");
  EXPECT_EQ(server.connections(), 2U);
}

TEST_F(PreparedPosts, ReadAllKindsOfResponses) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {answer("no", "404 Not Found", json), "no"},
      {answer("", "200 OK", json), ""},
      {answer("data: 1\n\n", "200 OK", "Content-Type: text/event-stream\r\n"), "data: 1\n\n"},
      {chunked + "5\r\nHello\r\n0\r\n\r\n", "Hello"},
      {"HTTP/1.1 103 Early Hints\r\n\r\n" + answer("final", "200 OK", json), "final"},
      {answer(std::string(100'000, 'x'), "200 OK", json), std::string(100'000, 'x')},
      {answer("2", "200 OK", json) + "more", "2"},
  };
  for (const auto& [raw, body] : cases) {
    const auto before = client.idle();
    auto& server = serve_keep_alive(raw);
    const auto got = post(server.url("/mcp"), "2");
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(rest_of(got), body);
    EXPECT_EQ((*got)->head().url, server.url("/mcp"));
    EXPECT_EQ(server.requests().size(), 2U);
    EXPECT_EQ(client.idle(), before + (raw.ends_with("more") ? 0U : 1U)) << raw;
  }
}

TEST_F(PreparedPosts, FollowRedirects) {
  auto& server = serve_keep_alive([](const std::string& request, auto) {
    return request.starts_with("POST /mcp") ? answer("", "307 x", "Location: /new\r\n") : answer("there");
  });
  EXPECT_EQ(rest_of(post(server.url("/mcp"), "body", {{"Authorization", "Bearer s"}})), "there");
  EXPECT_TRUE(server.requests().at(2).starts_with("POST /new "));
  EXPECT_TRUE(contains(server.requests().at(2), "Authorization: Bearer s\r\n"));
  EXPECT_TRUE(server.requests().at(2).ends_with("\r\n\r\nbody"));
}

TEST_F(PreparedPosts, AreNeverRetriedIfTheyMayHaveArrived) {
  auto& server = serve_keep_alive(std::string());
  const auto lost = post(server.url("/mcp"), "2");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::closed);
  loop.poll();
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(PreparedPosts, ArriveOnceAfterPartialWrites) {
  const std::string body(8'000'000, 'x');
  auto& server = serve_keep_alive(answer("2", "200 OK", json));
  EXPECT_EQ(rest_of(post(server.url("/mcp"), body)), "2");
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_TRUE(server.requests().at(1).ends_with("\r\n\r\n" + body));
}

TEST_F(PreparedPosts, CloseTheirConnectionIfTheyAreStopped) {
  auto& server = serve_keep_alive(std::string(ScriptedHttpServer::no_response));
  StopSource stop;
  bool ended = false;
  start(loop.loop().executor, opening(client, server.url("/mcp"), "2"), [&](const auto&) { ended = true; }, &stop);
  loop.run_until([&] { return server.requests().size() == 2; });
  EXPECT_FALSE(ended);
  stop.request_stop();
  loop.run_until([&] { return ended && server.ended() == 1; });
  EXPECT_EQ(client.idle(), 0U);
}

TEST_F(PreparedPosts, WorkWithTls) {
  test::Certificates certificates;
  certificates.add("server", "server", "IP:127.0.0.1");
  ListenOptions options;
  options.tls =
      TlsServerOptions{.certificate_file = certificates.certificate("server"), .key_file = certificates.key("server")};
  test::HttpServer server(options);
  Client secure{loop.loop(), {.tls = {.ca_file = certificates.ca()}}};
  const auto url = server.listener().url() + "/now";
  for (const auto* body : {"one", "two", "three"}) {
    EXPECT_EQ(rest_of(post(secure, url, body)), body);
    EXPECT_EQ(secure.idle(), 1U);
  }
}

}  // namespace
}  // namespace fairlead::http::client_post_test
