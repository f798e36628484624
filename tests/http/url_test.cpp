#include "http/url.hpp"

#include <gtest/gtest.h>

#include "http/proxy.hpp"
#include "http/redirect.hpp"
#include "http/websocket_handshake.hpp"

namespace fairlead::http::url_test {
namespace {

Url url(std::string_view text) {
  return parse_url(text).value();
}

TEST(Url, AttackANameThatStartsWithAnAddressIsNotThatAddress) {
  for (const auto* text : {"http://127.0.0.1.evil.example/x?y", "http://127.0.0.1.EVIL.example:80/x?y"}) {
    const auto url = parse_url(text).value();
    EXPECT_EQ(url.host, "127.0.0.1.evil.example");
    EXPECT_EQ(url.target, "/x?y");
    EXPECT_EQ(url.port, 80);
  }
  EXPECT_EQ(parse_url("http://u:p@10.0.0.1.nip.io:8080").value().authority(), "10.0.0.1.nip.io:8080");
  EXPECT_EQ(parse_url("http://1.2.3.4x?q").value().host, "1.2.3.4x");
  EXPECT_EQ(parse_url("http://1.2.3.4?q").value().host, "1.2.3.4");
  EXPECT_FALSE(parse_url("http://1.2.3.4.example:0/"));
  EXPECT_FALSE(parse_url("http://1.2.3.4.example:99999/"));
  EXPECT_FALSE(parse_url("http://1.2.3.4.exa%6Dple/"));
  EXPECT_FALSE(parse_url("http://[::1].evil.example/"));
}

TEST(Url, IsParsed) {
  const auto it = url("HTTPS://u:p%40ss@Example.COM:8443/a%20b?q=1#frag");
  EXPECT_EQ(it.scheme, "https");
  EXPECT_EQ(it.host, "example.com");
  EXPECT_EQ(it.port, 8443);
  EXPECT_EQ(it.target, "/a%20b?q=1");
  EXPECT_EQ(it.credentials, "u:p@ss");
  EXPECT_EQ(it.authority(), "example.com:8443");
  EXPECT_EQ(it.redacted(), "https://example.com:8443/a%20b");
}

TEST(Url, HasDefaultPorts) {
  EXPECT_EQ(url("http://a").port, 80);
  EXPECT_EQ(url("wss://a").port, 443);
  EXPECT_EQ(url("https://a:443/").authority(), "a");
  EXPECT_EQ(url("http://a?x").target, "/?x");
}

TEST(Url, RemovesIpv6Brackets) {
  EXPECT_EQ(url("http://[::1]:8080/").host, "::1");
  EXPECT_EQ(url("http://[::1]:8080/").authority(), "[::1]:8080");
}

TEST(Url, RejectsInvalidUrls) {
  for (const auto bad : {"", "host", "/path", "ftp://a", "http://", "http://a:99999/", "http://a b/", "javascript:x"}) {
    EXPECT_FALSE(parse_url(bad)) << bad;
  }
}

TEST(Url, ResolvesReferences) {
  const auto base = url("http://a/b/c?d");
  EXPECT_EQ(resolve_url(base, "/x?y")->redacted(), "http://a/x");
  EXPECT_EQ(resolve_url(base, "x")->redacted(), "http://a/b/x");
  EXPECT_EQ(resolve_url(base, "//other/x")->redacted(), "http://other/x");
  EXPECT_EQ(resolve_url(base, "https://b:1/")->redacted(), "https://b:1/");
  EXPECT_FALSE(resolve_url(base, "http://a b"));
}

Proxies proxies(std::vector<std::pair<std::string, std::string>> variables) {
  return Proxies::from_environment([variables](std::string_view name) {
    for (const auto& [key, value] : variables) {
      if (key == name) return value;
    }
    return std::string();
  });
}

std::string chosen(const Proxies& from, std::string_view target) {
  const auto proxy = from.choose(url(target));
  if (!proxy) return "error";
  return *proxy ? (*proxy)->origin() : "none";
}

TEST(Proxies, AreChosenByScheme) {
  const auto both = proxies({{"http_proxy", "http://p:1"}, {"HTTPS_PROXY", "q:2"}});
  EXPECT_EQ(chosen(both, "http://a"), "http://p:1");
  EXPECT_EQ(chosen(both, "https://a"), "http://q:2");
  EXPECT_EQ(chosen(both, "wss://a"), "http://q:2");
  EXPECT_EQ(chosen(proxies({{"all_proxy", "p:1"}}), "https://a"), "http://p:1");
  EXPECT_EQ(chosen(proxies({}), "https://a"), "none");
}

TEST(Proxies, IgnoreTheVariableThatACgiClientCanSet) {
  EXPECT_EQ(chosen(proxies({{"HTTP_PROXY", "evil:1"}}), "http://a"), "none");
}

TEST(Proxies, RespectNoProxy) {
  const auto some = proxies({{"http_proxy", "p:1"}, {"no_proxy", "example.com, .internal,b:8080 ,[fd00::1]"}});
  EXPECT_EQ(chosen(some, "http://example.com"), "none");
  EXPECT_EQ(chosen(some, "http://www.EXAMPLE.com"), "none");
  EXPECT_EQ(chosen(some, "http://notexample.com"), "http://p:1");
  EXPECT_EQ(chosen(some, "http://x.internal"), "none");
  EXPECT_EQ(chosen(some, "http://b:8080"), "none");
  EXPECT_EQ(chosen(some, "http://b"), "http://p:1");
  EXPECT_EQ(chosen(some, "http://[fd00::1]/"), "none");
  EXPECT_EQ(chosen(proxies({{"http_proxy", "p:1"}, {"NO_PROXY", "*"}}), "http://a"), "none");
}

TEST(Proxies, AreNotUsedForThisMachine) {
  const auto any = proxies({{"all_proxy", "p:1"}});
  for (const auto here : {"http://localhost", "http://127.0.0.1:1", "https://[::1]"})
    EXPECT_EQ(chosen(any, here), "none");
}

TEST(Proxies, RejectUnsupportedSchemes) {
  EXPECT_EQ(chosen(proxies({{"all_proxy", "socks5://p:1"}}), "http://a"), "error");
}

TEST(Redirect, NeverGoesFromHttpsToHttp) {
  ClientRequest request{.url = "https://a/"};
  ClientResponse response{.status = 307, .headers = {{"Location", "http://a/"}}};
  const auto to = redirect(response, url("https://a/"), request);
  ASSERT_FALSE(to);
  EXPECT_EQ(to.error().kind, ErrorKind::refused);
}

TEST(WebSocketHandshake, AcceptsTheKeyOfTheRfc) {
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

ClientResponse accepted() {
  return {.status = 101,
          .headers = {{"Upgrade", "WebSocket"},
                      {"Connection", "keep-alive, Upgrade"},
                      {"Sec-WebSocket-Accept", websocket_accept("k")}}};
}

TEST(WebSocketHandshake, AcceptsOnlyOfferedSubprotocols) {
  auto response = accepted();
  EXPECT_EQ(check_websocket_answer(response, "k", {"mcp"}), Result<std::string>(""));
  response.headers.push_back({"Sec-WebSocket-Protocol", "mcp"});
  EXPECT_EQ(check_websocket_answer(response, "k", {"mcp"}), Result<std::string>("mcp"));
  EXPECT_FALSE(check_websocket_answer(response, "k", {"other"}));
}

TEST(WebSocketHandshake, RejectsWrongAcceptAndExtensions) {
  auto response = accepted();
  EXPECT_FALSE(check_websocket_answer(response, "other key", {}));
  response.headers.push_back({"Sec-WebSocket-Extensions", "permessage-deflate"});
  EXPECT_FALSE(check_websocket_answer(response, "k", {}));
}

}  // namespace
}  // namespace fairlead::http::url_test
