#include <cstdlib>
#include <fairlead/http/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_server.hpp"
#include "support/certificates.hpp"
#include "support/test_loop.hpp"
#include "support/tunnel_proxy.hpp"

namespace fairlead::http::proxy_tunnel_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A server behind a proxy that records all bytes.
struct ProxyTunnel : testing::Test {
  ProxyTunnel() { ::setenv("https_proxy", ("http://127.0.0.1:" + std::to_string(proxy.port())).c_str(), 1); }
  ~ProxyTunnel() override { ::unsetenv("https_proxy"); }

  ListenOptions far_away() {
    certificates.add("far", "far", "DNS:far.example");
    ListenOptions listen;
    listen.tls =
        TlsServerOptions{.certificate_file = certificates.certificate("far"), .key_file = certificates.key("far")};
    listen.host_origin.hosts = {"far.example", "other.example"};
    return listen;
  }
  Result<ClientResponse> fetch(Client& client, std::string url) {
    ClientRequest request{.url = std::move(url), .headers = {{"Authorization", "Bearer planted-secret"}}};
    return loop.run(client.fetch(std::move(request)));
  }

  test::Certificates certificates;
  test::TestLoop loop;
  test::HttpServer server{far_away()};
  test::TunnelProxy proxy{server.listener().port()};
};

TEST_F(ProxyTunnel, TransfersTlsEndToEnd) {
  Client client{loop.loop(), {.tls = {.ca_file = certificates.ca()}}};
  for (int round = 0; round < 3; ++round) {
    const auto got = fetch(client, "https://far.example/now");
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->body, "now");
  }
  const auto proxied = proxy.received();
  EXPECT_THAT(proxied, StartsWith("CONNECT far.example:443 HTTP/1.1\r\n"));
  EXPECT_THAT(proxied, Not(HasSubstr("planted-secret")));
  EXPECT_THAT(proxied, Not(HasSubstr("/now")));
  EXPECT_EQ(proxied.find("CONNECT", 1), std::string::npos) << "the tunnel is kept for the next request";
}

TEST_F(ProxyTunnel, VerifiesTheServerBehindAProxy) {
  Client untrusted{loop.loop()};
  EXPECT_THAT(fetch(untrusted, "https://far.example/now").error().message, HasSubstr("not trusted"));
  Client client{loop.loop(), {.tls = {.ca_file = certificates.ca()}}};
  EXPECT_FALSE(fetch(client, "https://other.example/now")) << "its certificate is for another name";
  EXPECT_THAT(proxy.received(), Not(HasSubstr("planted-secret")));
}

}  // namespace
}  // namespace fairlead::http::proxy_tunnel_test
