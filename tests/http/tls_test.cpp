#include <fairlead/http/tls.hpp>

#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/connect.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "http/http_server.hpp"
#include "support/certificates.hpp"
#include "support/leak_check.hpp"
#include "support/test_loop.hpp"

namespace fairlead::http::tls_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

Task<Result<std::string>> exchange(EventLoop loop, std::uint16_t port, Result<TlsClient> tls, std::string host,
                                   std::string request, std::string end) {
  if (!tls) co_return std::unexpected(tls.error());
  const auto deadline = Deadline::in(std::chrono::seconds{30});
  auto plain = co_await connect_plain(loop, "127.0.0.1", port, deadline);
  if (!plain) co_return std::unexpected(plain.error());
  auto stream = co_await start_tls(std::move(*plain), *tls, std::move(host));
  if (!stream) co_return std::unexpected(stream.error());
  EXPECT_TRUE((*stream)->secure());
  auto written = co_await (*stream)->write(request);
  if (!written) co_return std::unexpected(written.error());
  std::string received;
  std::vector<char> buffer(32768);
  while (!received.ends_with(end)) {
    auto size = (*stream)->read_now(buffer);
    if (!size) co_return std::unexpected(size.error());
    if (!*size) {
      auto ready = co_await (*stream)->readable();
      if (!ready) co_return std::unexpected(ready.error());
    } else if (**size == 0) {
      break;
    } else {
      received.append(buffer.data(), **size);
    }
  }
  co_return received;
}

class TlsTest : public testing::Test {
 protected:
  TlsTest() {
    certificates_.add("server", "server", "DNS:localhost,IP:127.0.0.1");
    certificates_.add("other", "other", "DNS:other.example");
    certificates_.add("anna", "anna", "");
  }

  ListenOptions options(const std::string& name = "server", bool mutual = false) {
    ListenOptions result;
    result.tls = TlsServerOptions{.certificate_file = certificates_.certificate(name),
                                  .key_file = certificates_.key(name),
                                  .client_ca_file = mutual ? certificates_.ca() : ""};
    return result;
  }
  Result<TlsClient> trusting() { return TlsClient::load({.ca_file = certificates_.ca()}); }

  Result<std::string> send_request(test::HttpServer& server, const std::string& path, const std::string& end,
                                   Result<TlsClient> tls, std::string host = "localhost") {
    auto request =
        "GET " + path + " HTTP/1.1\r\nHost: localhost:" + std::to_string(server.listener().port()) + "\r\n\r\n";
    return loop_.run(
        exchange(loop_.loop(), server.listener().port(), std::move(tls), std::move(host), std::move(request), end));
  }

  test::Certificates certificates_;
  test::TestLoop loop_;
};

TEST_F(TlsTest, TransfersRequestsAndResponses) {
  test::HttpServer server(options());
  EXPECT_THAT(server.listener().url(), testing::StartsWith("https://127.0.0.1:"));
  for (const auto* host : {"localhost", "127.0.0.1"}) {
    const auto received = send_request(server, "/now", "now", trusting(), host);
    ASSERT_TRUE(received) << received.error().message;
    EXPECT_THAT(*received, testing::StartsWith("HTTP/1.1 200 OK\r\n"));
  }
}

TEST_F(TlsTest, TransfersStreams) {
  test::HttpServer server(options());
  EXPECT_THAT(send_request(server, "/stream", "0\r\n\r\n", trusting()).value(), HasSubstr("three"));
}

TEST_F(TlsTest, TransfersMoreThanTheBuffers) {
  test::HttpServer server(options());
  const auto flood = send_request(server, "/flood", "0\r\n\r\n", trusting());
  ASSERT_TRUE(flood) << flood.error().message;
  // One is in the head.
  EXPECT_EQ(std::ranges::count(*flood, 'y'), 20'000'001);
}

TEST_F(TlsTest, RejectsUntrustedServers) {
  test::HttpServer server(options());
  const auto received = send_request(server, "/now", "now", TlsClient::load());
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().kind, ErrorKind::closed);
  EXPECT_THAT(received.error().message, HasSubstr("not trusted"));
}

TEST_F(TlsTest, RejectsWrongHostNames) {
  test::HttpServer server(options("other"));
  for (const auto* host : {"localhost", "127.0.0.1"}) {
    const auto received = send_request(server, "/now", "now", trusting(), host);
    ASSERT_FALSE(received);
    EXPECT_THAT(received.error().message, HasSubstr("mismatch"));
  }
}

TEST_F(TlsTest, TrustsCertificatesOfTheEnvironment) {
  test::HttpServer server(options());
  ::setenv("SSL_CERT_FILE", certificates_.ca().c_str(), 1);
  const auto received = send_request(server, "/now", "now", TlsClient::load());
  ::unsetenv("SSL_CERT_FILE");
  EXPECT_TRUE(received) << received.error().message;
}

TEST_F(TlsTest, RequiresClientCertificates) {
  test::HttpServer server(options("server", true));
  EXPECT_FALSE(send_request(server, "/who", "CN=anna", trusting()));
  const TlsClientOptions anna{.ca_file = certificates_.ca(),
                              .certificate_file = certificates_.certificate("anna"),
                              .key_file = certificates_.key("anna")};
  const auto received = send_request(server, "/who", "CN=anna", TlsClient::load(anna));
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_THAT(*received, EndsWith("\r\n\r\nCN=anna"));
}

TEST_F(TlsTest, IsHandedOffWithItsConnection) {
  test::HttpServer server(options(), 2);
  const auto host = "Host: localhost:" + std::to_string(server.listener().port()) + "\r\n\r\n";
  std::string request;
  for (int i = 0; i < 6; ++i) request += "GET /home" + std::to_string(i % 2) + " HTTP/1.1\r\n" + host;
  request += "GET /now HTTP/1.1\r\n" + host;
  auto talking = exchange(loop_.loop(), server.listener().port(), trusting(), "localhost", request, "now");
  const auto received = loop_.run(std::move(talking));
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_THAT(*received, testing::ContainsRegex("worker 0.*worker 1.*worker 0.*worker 1.*worker 0.*worker 1"));
}

TEST_F(TlsTest, SendsNothingToPlaintextClients) {
  test::HttpServer server(options());
  auto client = server.connect();
  client.send_request("GET", "/now");
  EXPECT_THAT(client.until_closed(), testing::Not(HasSubstr("HTTP")));
}

TEST_F(TlsTest, SurvivesDisconnectsAtAnyTime) {
  test::HttpServer server(options());
  for (const std::size_t size : {0u, 1u, 5u, 20u}) {
    auto client = server.connect();
    client.send(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11).substr(0, size) +
                std::string(size, 'x'));
    client.disconnect();
  }
  EXPECT_TRUE(send_request(server, "/flood", "yyyy", trusting()));
  EXPECT_TRUE(send_request(server, "/now", "now", trusting()));
}

TEST_F(TlsTest, ErrorNamesTheFile) {
  const auto missing = TlsServer::load({.certificate_file = "/nowhere.pem", .key_file = certificates_.key("server")});
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("/nowhere.pem"));
  const auto mixed = TlsServer::load(
      {.certificate_file = certificates_.certificate("server"), .key_file = certificates_.key("other")});
  ASSERT_FALSE(mixed);
  EXPECT_FALSE(TlsClient::load({.ca_file = "/nowhere.pem"}));
}

TEST_F(TlsTest, LeaksNoDescriptors) {
  const auto before = test::open_descriptors();
  {
    test::HttpServer server(options());
    EXPECT_TRUE(send_request(server, "/now", "now", trusting()));
  }
  EXPECT_EQ(test::open_descriptors(), before);
}

TEST(Connect, ErrorNamesTheAddress) {
  test::TestLoop loop;
  const auto stream = loop.run(connect_plain(loop.loop(), "127.0.0.1", 1));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().kind, ErrorKind::closed);
  EXPECT_THAT(stream.error().message, HasSubstr("127.0.0.1:1"));
}

TEST(Connect, ResolvesNamesAndIpv6Addresses) {
  test::HttpServer four;
  test::HttpServer six({.host = "::1"});
  test::TestLoop loop;
  EXPECT_TRUE(loop.run(connect_plain(loop.loop(), "localhost", four.listener().port())));
  EXPECT_TRUE(loop.run(connect_plain(loop.loop(), "[::1]", six.listener().port())));
}

}  // namespace
}  // namespace fairlead::http::tls_test
