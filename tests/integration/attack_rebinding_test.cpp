#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"

/// DNS rebinding: foreign web pages in a local browser, and foreign host names that point to this machine.
namespace fairlead::attack_rebinding_test {
namespace {

using namespace test;
using testing::AnyOf;

struct AttackRebindingTest : testing::Test {
  AttackRebindingTest() {
    rig.app().tool("touch", "", [this] { return ++touched; });
    everywhere.emplace_back("GET", "/healthz");
    everywhere.emplace_back("GET", "/readyz");
    everywhere.emplace_back("GET", "/");
    everywhere.emplace_back("OPTIONS", "/mcp");
  }

  /// A request with the given header lines that would otherwise be accepted.
  RawAnswer send_request(const std::string& method, const std::string& path, const std::string& lines) {
    auto client = rig.connect();
    auto text = method + " " + path + " HTTP/1.1\r\n" + lines + HttpServerFixture::usual + stateless_lines("touch");
    if (path == "/ws") text += upgrade;
    const auto body = method == "POST" ? stateless_call(1, "touch") : "";
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    client.send(text + "\r\n" + body);
    return client.answer();
  }

  std::string port() { return std::to_string(rig.listener().port()); }
  std::string here() { return "Host: localhost:" + port() + "\r\n"; }

  std::atomic<int> touched = 0;
  HttpServerFixture rig{1};
  std::vector<std::pair<std::string, std::string>> everywhere = mcp_endpoints;
};

TEST_F(AttackRebindingTest, RejectsForeignHostNames) {
  const std::vector<std::string> hosts{"evil.example.com",
                                       "evil.example.com:" + port(),
                                       "localhost.evil.example.com:" + port(),
                                       "127.0.0.1.evil.example.com:" + port(),
                                       "localhost",
                                       "localhost:1",
                                       "localhost.:" + port(),
                                       "0.0.0.0:" + port(),
                                       "[::ffff:127.0.0.1]:" + port(),
                                       "2130706433:" + port(),
                                       "0x7f.1:" + port(),
                                       "127.1:" + port()};
  for (const auto& [method, path] : everywhere) {
    for (const auto& host : hosts) {
      EXPECT_EQ(send_request(method, path, "Host: " + host + "\r\n").status, 403)
          << method << ' ' << path << ' ' << host;
    }
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackRebindingTest, RequiresExactlyOneHostHeader) {
  for (const auto& [method, path] : everywhere) {
    for (const auto& lines : {std::string(), here() + here(), here() + "Host: evil.example.com\r\n",
                              "Host: evil.example.com\r\n" + here(), std::string("Host: \r\n")}) {
      EXPECT_THAT(send_request(method, path, lines).status, AnyOf(400, 403)) << method << ' ' << path << ' ' << lines;
    }
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackRebindingTest, RejectsForeignOrigins) {
  const std::vector<std::string> origins{"http://evil.example.com",
                                         "http://evil.example.com:" + port(),
                                         "null",
                                         "",
                                         "https://localhost:" + port(),
                                         "http://localhost",
                                         "http://localhost:1",
                                         "http://localhost:" + port() + "/",
                                         "http://localhost:" + port() + ".evil.example.com",
                                         "http://localhost.evil.example.com:" + port(),
                                         "http://evil@localhost:" + port(),
                                         "file://",
                                         "chrome-extension://abcdefgh"};
  for (const auto& [method, path] : everywhere) {
    for (const auto& origin : origins) {
      EXPECT_EQ(send_request(method, path, here() + "Origin: " + origin + "\r\n").status, 403)
          << method << ' ' << path << ' ' << origin;
    }
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackRebindingTest, RejectsTwoOriginHeaders) {
  const auto own = "Origin: http://localhost:" + port() + "\r\n";
  for (const auto& [method, path] : everywhere) {
    for (const auto& lines : {own + own, own + "Origin: http://evil.example.com\r\n",
                              "Origin: http://evil.example.com\r\n" + own, own + "origin: null\r\n"}) {
      EXPECT_EQ(send_request(method, path, here() + lines).status, 403) << method << ' ' << path << ' ' << lines;
    }
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackRebindingTest, IgnoresForwardedHostHeaders) {
  for (const auto* line : {"X-Forwarded-Host: localhost", "Forwarded: host=localhost", "X-Original-Host: localhost",
                           "X-Host: localhost", ":authority: localhost"}) {
    const auto status = send_request("POST", "/mcp", "Host: evil.example.com\r\n" + std::string(line) + "\r\n").status;
    EXPECT_THAT(status, AnyOf(400, 403)) << line;
  }
  EXPECT_THAT(send_request("POST", "http://evil.example.com/mcp", here()).status, AnyOf(400, 403));
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackRebindingTest, AcceptsLoopbackHostsAndOrigins) {
  EXPECT_EQ(send_request("POST", "/mcp", here()).status, 200);
  EXPECT_EQ(send_request("POST", "/mcp", here() + "Origin: http://127.0.0.1:" + port() + "\r\n").status, 200);
  EXPECT_EQ(touched, 2);
}

TEST_F(AttackRebindingTest, RejectsHttp2) {
  auto client = rig.connect();
  client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  EXPECT_THAT(client.answer().status, AnyOf(400, 505));
  const auto plain = send_request(
      "POST", "/mcp",
      here() + "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n" + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n");
  EXPECT_EQ(plain.status, 200);
}

}  // namespace
}  // namespace fairlead::attack_rebinding_test
