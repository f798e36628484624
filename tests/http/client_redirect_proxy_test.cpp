#include <cstdlib>
#include <fairlead/http/client.hpp>

#include "http/client_fixture.hpp"

namespace fairlead::http::client_redirect_proxy_test {
namespace {

TEST_F(HttpClientTest, FollowsARedirectWithMethodAndBody) {
  auto& server = serve([](const std::string& request, auto) {
    if (request.starts_with("POST /old")) return answer("", "307 Temporary Redirect", "Location: /new?x=1\r\n");
    return answer("there");
  });
  const auto got =
      fetch({.method = "POST", .url = server.url("/old"), .headers = {{"Authorization", "Bearer s"}}, .body = "body"});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->body, "there");
  EXPECT_EQ(got->url, server.url("/new?x=1"));
  EXPECT_TRUE(server.requests().at(1).starts_with("POST /new?x=1 "));
  EXPECT_TRUE(server.requests().at(1).ends_with("\r\n\r\nbody"));
  EXPECT_TRUE(contains(server.requests().at(1), "Authorization: Bearer s"));
  EXPECT_EQ(server.connections(), 1U);
}

TEST_F(HttpClientTest, DoesNotRedirectAPostAsGet) {
  auto& server = serve(answer("", "302 Found", "Location: /new\r\n"));
  EXPECT_EQ(fetch({.method = "POST", .url = server.url(), .body = "x"})->status, 302);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(HttpClientTest, DropsCredentialsForOtherOrigins) {
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
  EXPECT_FALSE(contains(other.requests().at(0), "secret"));
  EXPECT_TRUE(contains(other.requests().at(0), "Accept: application/json"));
}

TEST_F(HttpClientTest, DropsUrlCredentialsForOtherOrigins) {
  auto& other = serve(answer("there"));
  auto& server = serve(answer("", "307 x", "Location: " + other.url("/x") + "\r\n"));
  ASSERT_TRUE(fetch({.url = "http://user:secret@127.0.0.1:" + std::to_string(server.port())}));
  EXPECT_FALSE(contains(other.requests().at(0), "Authorization"));
}

TEST_F(HttpClientTest, LimitsRedirects) {
  auto& server = serve(answer("", "302 Found", "Location: /again\r\n"));
  const auto got = fetch({.url = server.url()});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::refused);
  EXPECT_EQ(server.requests().size(), 6U);
}

/// Sets a proxy variable for a scope.
struct ProxyVariable {
  ProxyVariable(const char* variable, const std::string& value) : name(variable) { ::setenv(name, value.c_str(), 1); }
  ProxyVariable(const ProxyVariable&) = delete;
  ProxyVariable& operator=(const ProxyVariable&) = delete;
  ~ProxyVariable() { ::unsetenv(name); }
  const char* name;
};

TEST_F(HttpClientTest, SendsAbsoluteUrlToProxy) {
  auto& proxy = serve(answer("from afar"));
  const ProxyVariable set("http_proxy", "http://me:secret@127.0.0.1:" + std::to_string(proxy.port()));
  Client through{loop.loop()};
  const auto got = loop.run(through.fetch({.url = "http://far.example/x?y=1"}));
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->body, "from afar");
  EXPECT_TRUE(proxy.requests().at(0).starts_with("GET http://far.example/x?y=1 HTTP/1.1\r\nHost: far.example\r\n"));
  EXPECT_TRUE(contains(proxy.requests().at(0), "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"));
}

TEST_F(HttpClientTest, UsesATunnelForHttps) {
  auto& proxy = serve(answer("", "407 Proxy Authentication Required"));
  const ProxyVariable set("https_proxy", "127.0.0.1:" + std::to_string(proxy.port()));
  Client through{loop.loop()};
  ClientRequest request{.url = "https://far.example/secret", .headers = {{"Authorization", "Bearer secret"}}};
  const auto got = loop.run(through.fetch(std::move(request)));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().kind, ErrorKind::refused);
  EXPECT_EQ(got.error().code, 407);
  EXPECT_TRUE(proxy.requests().at(0).starts_with("CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n"));
  EXPECT_FALSE(contains(proxy.requests().at(0), "secret"));
}

TEST_F(HttpClientTest, NeverSendsPlaintextThroughATunnel) {
  auto& proxy = serve("HTTP/1.1 200 Established\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  const ProxyVariable set("https_proxy", "127.0.0.1:" + std::to_string(proxy.port()));
  Client through{loop.loop()};
  EXPECT_FALSE(loop.run(through.fetch({.url = "https://far.example/secret"})));
  EXPECT_EQ(proxy.requests().size(), 1U);
}

TEST_F(HttpClientTest, RejectsWrongWebSocketAccept) {
  auto& server = serve([](const std::string& request, auto) {
    const auto at = request.find("Sec-WebSocket-Key: ");
    EXPECT_NE(at, std::string::npos);
    EXPECT_TRUE(contains(request, "Sec-WebSocket-Protocol: mcp\r\n"));
    return std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n") +
           "Sec-WebSocket-Accept: wrong\r\n\r\n";
  });
  WebSocketOptions options{.subprotocols = {"mcp"}};
  auto opened = loop.run(client.websocket({.url = "ws" + server.url().substr(4)}, options));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::malformed);
}

TEST_F(HttpClientTest, ReportsTheStatusOfAFailedUpgrade) {
  auto& server = serve(answer("", "403 Forbidden"));
  auto opened = loop.run(client.websocket({.url = "ws" + server.url().substr(4)}));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::refused);
  EXPECT_EQ(opened.error().code, 403);
}

}  // namespace
}  // namespace fairlead::http::client_redirect_proxy_test
