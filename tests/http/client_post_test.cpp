#include <fairlead/http/client.hpp>

#include "http/client_fixture.hpp"
#include "http/http_server.hpp"
#include "support/certificates.hpp"

namespace fairlead::http::client_post_test {
namespace {

constexpr std::string_view json = "Content-Type: application/json\r\n";

/// A server that has responded once, so that a connection is pooled, and then sends what the test scripts.
class QuickPosts : public HttpClientTest {
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

  std::shared_ptr<SentRequest> post(const std::string& url, std::string body, std::vector<Header> headers = {}) {
    return post(client, url, std::move(body), std::move(headers));
  }
  std::shared_ptr<SentRequest> post(Client& by, const std::string& url, std::string body,
                                    std::vector<Header> headers = {}) {
    called = false;
    whole.reset();
    QuickPost quick{.head = by.write_post(url, std::move(headers)), .body = std::move(body)};
    quick.answer_type = answer_type;
    quick.max_answer = 20'000;
    quick.then = [this, &by](WholeAnswer* whole_answer) {
      called = true;
      idle_then = by.idle();
      if (whole_answer) date = whole_answer->header("date").value_or("");
      if (whole_answer) whole = std::move(*whole_answer);
    };
    return by.post_now(quick);
  }
  void wait() {
    turn_until([&] { return called; });
  }
  void turn_until(const std::function<bool()>& done) {
    loop.poll();
    loop.run_until(done);
  }

  /// Continues with `open`.
  Result<ClientResponse> go_on(SentRequest& sent) {
    auto stream = loop.run(sent.open());
    if (!stream) return std::unexpected(stream.error());
    auto response = (*stream)->head();
    auto body = loop.run((*stream)->rest(1'000'000));
    if (!body) return std::unexpected(body.error());
    response.body = *body;
    return response;
  }

  std::string_view answer_type = "application/json";
  bool called = false;
  std::size_t idle_then = 0;
  std::string date;
  std::optional<WholeAnswer> whole;
};

TEST_F(QuickPosts, DeliverACompleteResponseAndFreeTheConnection) {
  auto& server =
      serve_keep_alive(answer("[2]", "200 OK", "Content-Type: Application/JSON; charset=utf-8\r\nDate: today\r\n"));
  const auto sent = post(server.url("/mcp"), "two");
  ASSERT_TRUE(sent);
  EXPECT_FALSE(called);
  wait();
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->body, "[2]");
  EXPECT_EQ(date, "today");
  EXPECT_EQ(idle_then, 1U);
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(QuickPosts, SendTheSameBytesAsOpen) {
  auto& server = serve_keep_alive(answer("2", "200 OK", json));
  for (const auto* accept : {"a/b", "a/b", "c/d", "c/d"}) {
    auto sent = post(server.url("/mcp"), "{}", {{"Accept", accept}});
    wait();
    const auto quick = server.requests().back();
    ASSERT_TRUE(fetch({.method = "POST", .url = server.url("/mcp"), .headers = {{"Accept", accept}}, .body = "{}"}));
    EXPECT_EQ(quick, server.requests().back());
  }
  auto sent = post(server.url("/other"), "longer", {{"Accept", "c/d"}});
  wait();
  EXPECT_TRUE(server.requests().back().starts_with("POST /other HTTP/1.1\r\n"));
  EXPECT_TRUE(server.requests().back().ends_with("Content-Length: 6\r\n\r\nlonger"));
}

TEST_F(QuickPosts, NeedAPooledConnection) {
  auto& server = serve(answer("2", "200 OK", json));
  QuickPost quick{.head = client.write_post(server.url(), {}), .body = "body"};
  ASSERT_TRUE(quick.head);
  EXPECT_FALSE(client.post_now(quick));
  EXPECT_EQ(quick.body, "body");
  EXPECT_TRUE(quick.head);
  loop.poll();
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(QuickPosts, HaveNoHeadForAnInvalidUrl) {
  EXPECT_FALSE(client.write_post("no url", {}));
  EXPECT_FALSE(client.write_post("ws://127.0.0.1/", {}));
  EXPECT_FALSE(client.write_post("http://127.0.0.1/", {{"A", "b\r\nC: d"}}));
  QuickPost quick{.body = "body"};
  EXPECT_FALSE(client.post_now(quick));
}

TEST_F(QuickPosts, DoNotUseAConnectionThatWasClosed) {
  auto& server = serve(answer("1") + std::string(ScriptedHttpServer::disconnect));
  ASSERT_TRUE(fetch({.method = "POST", .url = server.url(), .body = "1"}));
  loop.poll();
  EXPECT_FALSE(post(server.url(), "2"));
}

TEST_F(QuickPosts, FallBackToOpen) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {answer("no", "404 Not Found", json), "no"},
      {answer("", "200 OK", json), ""},
      {answer("data: 1\n\n", "200 OK", "Content-Type: text/event-stream\r\n"), "data: 1\n\n"},
      {chunked + "5\r\nHello\r\n0\r\n\r\n", "Hello"},
      {"HTTP/1.1 103 Early Hints\r\n\r\n" + answer("final", "200 OK", json), "final"},
      {answer(std::string(100'000, 'x'), "200 OK", json), std::string(100'000, 'x')},
      {answer(std::string(20'001, 'x'), "200 OK", json), std::string(20'001, 'x')},
      {answer("2", "200 OK", json) + "more", "2"},
  };
  for (const auto& [raw, body] : cases) {
    const auto before = client.idle();
    auto& server = serve_keep_alive(raw);
    const auto sent = post(server.url("/mcp"), "2");
    ASSERT_TRUE(sent);
    wait();
    EXPECT_FALSE(whole) << raw;
    const auto got = go_on(*sent);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->body, body);
    EXPECT_EQ(got->url, server.url("/mcp"));
    EXPECT_EQ(server.requests().size(), 2U);
    EXPECT_EQ(client.idle(), before + (raw.ends_with("more") ? 0U : 1U)) << raw;
  }
}

TEST_F(QuickPosts, FollowRedirects) {
  auto& server = serve_keep_alive([](const std::string& request, auto) {
    return request.starts_with("POST /mcp") ? answer("", "307 x", "Location: /new\r\n") : answer("there");
  });
  const auto sent = post(server.url("/mcp"), "body", {{"Authorization", "Bearer s"}});
  wait();
  EXPECT_EQ(go_on(*sent)->body, "there");
  EXPECT_TRUE(server.requests().at(2).starts_with("POST /new "));
  EXPECT_TRUE(contains(server.requests().at(2), "Authorization: Bearer s\r\n"));
  EXPECT_TRUE(server.requests().at(2).ends_with("\r\n\r\nbody"));
}

TEST_F(QuickPosts, AreNeverRetriedIfTheyMayHaveArrived) {
  auto& server = serve_keep_alive(std::string());
  const auto sent = post(server.url("/mcp"), "2");
  wait();
  const auto lost = go_on(*sent);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::closed);
  loop.poll();
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(QuickPosts, ArriveOnceAfterPartialWrites) {
  const std::string body(8'000'000, 'x');
  auto& server = serve_keep_alive(answer("2", "200 OK", json));
  const auto sent = post(server.url("/mcp"), body);
  ASSERT_TRUE(sent);
  wait();
  EXPECT_FALSE(whole);
  EXPECT_EQ(go_on(*sent)->body, "2");
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_TRUE(server.requests().at(1).ends_with("\r\n\r\n" + body));
}

TEST_F(QuickPosts, EndWithTheirOwner) {
  auto& server = serve_keep_alive(std::string(ScriptedHttpServer::no_response));
  auto sent = post(server.url("/mcp"), "2");
  turn_until([&] { return server.requests().size() == 2; });
  sent.reset();
  turn_until([&] { return server.ended() == 1; });
  EXPECT_FALSE(called);
  EXPECT_EQ(client.idle(), 0U);
}

TEST_F(QuickPosts, WorkWithTls) {
  test::Certificates certificates;
  certificates.add("server", "server", "IP:127.0.0.1");
  ListenOptions options;
  options.tls =
      TlsServerOptions{.certificate_file = certificates.certificate("server"), .key_file = certificates.key("server")};
  test::HttpServer server(options);
  Client secure{loop.loop(), {.tls = {.ca_file = certificates.ca()}}};
  const auto url = server.listener().url() + "/now";
  ASSERT_TRUE(loop.run(secure.fetch({.method = "POST", .url = url, .body = "1"})));
  const auto sent = post(secure, url, "two");
  ASSERT_TRUE(sent);
  wait();
  const auto got = go_on(*sent);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->body, "two");
  EXPECT_EQ(secure.idle(), 1U);
  answer_type = "text/plain";
  for (const auto* body : {"three", "four"}) {
    const auto next = post(secure, url, body);
    ASSERT_TRUE(next);
    wait();
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->body, body);
    EXPECT_EQ(idle_then, 1U);
  }
}

}  // namespace
}  // namespace fairlead::http::client_post_test
