#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <tuple>

#include "integration/http_server_fixture.hpp"
#include "support/leak_check.hpp"

/// HTTP requests that two servers may parse differently, and clients that disconnect at any point.
namespace fairlead::attack_http_test {
namespace {

using namespace test;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

struct AttackHttpTest : testing::Test {
  AttackHttpTest() {
    rig.app().tool("touch", "", [this] { return ++touched; });
  }

  std::string head(const std::string& lines) {
    return "POST /mcp HTTP/1.1\r\nHost: localhost:" + std::to_string(rig.listener().port()) + "\r\n" +
           HttpServerFixture::usual + stateless_lines("touch") + lines + "\r\n";
  }
  static std::string chunk(const std::string& text) {
    std::ostringstream out;
    out << std::hex << text.size() << "\r\n" << text << "\r\n";
    return out.str();
  }
  std::string whole() { return head("Content-Length: " + std::to_string(body.size()) + "\r\n") + body; }

  const std::string body = stateless_call(1, "touch");
  const std::string length = std::to_string(body.size());
  std::atomic<int> touched = 0;
  HttpServerFixture rig{1};
};

TEST_F(AttackHttpTest, RejectsRequestSmuggling) {
  const auto hidden = whole();
  const std::vector<std::string> framings{"Content-Length: " + length + "\r\nTransfer-Encoding: chunked\r\n",
                                          "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
                                          "Content-Length: 4\r\nContent-Length: " + length + "\r\n",
                                          "Content-Length: 4, " + length + "\r\n",
                                          "Content-Length: +4\r\n",
                                          "Content-Length: -4\r\n",
                                          "Content-Length: 0x4\r\n",
                                          "Content-Length: 4 \x0b\r\n",
                                          "Content-Length: 99999999999999999999\r\n",
                                          "Content-Length:\r\n",
                                          "Content-Length : 4\r\n",
                                          "Transfer-Encoding: xchunked\r\n",
                                          "Transfer-Encoding: chunked, identity\r\n",
                                          "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                                          "Transfer-Encoding : chunked\r\n",
                                          "Transfer-Encoding:\x0b"
                                          "chunked\r\n",
                                          "Transfer-Encoding: gzip, chunked\r\n",
                                          "X: y\r\n Transfer-Encoding: chunked\r\n",
                                          "X: y\nTransfer-Encoding: chunked\r\n",
                                          "X: y\rTransfer-Encoding: chunked\r\n",
                                          "X\r\n",
                                          " X: y\r\n"};
  for (const auto& lines : framings) {
    auto client = rig.connect();
    client.send(head(lines) + "0\r\n\r\n" + hidden + hidden);
    const auto received = client.until_closed();
    EXPECT_THAT(received, AnyOf(HasSubstr("HTTP/1.1 400"), HasSubstr("HTTP/1.1 413"), HasSubstr("HTTP/1.1 501")))
        << lines;
    EXPECT_THAT(received, Not(HasSubstr("HTTP/1.1 200"))) << lines;
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackHttpTest, RejectsMalformedChunks) {
  const std::vector<std::string> chunks{"zz\r\n" + body + "\r\n0\r\n\r\n",
                                        "-1\r\n\r\n0\r\n\r\n",
                                        "ffffffffffffffffff\r\n" + body,
                                        "1\r\n" + body + "\r\n0\r\n\r\n",
                                        "5\n" + body,
                                        "0x5\r\n" + body,
                                        "5;" + std::string(100'000, 'e') + "\r\n" + body};
  for (const auto& text : chunks) {
    auto client = rig.connect();
    client.send(head("Transfer-Encoding: chunked\r\n") + text + whole());
    const auto received = client.until_closed();
    EXPECT_THAT(received, AnyOf(HasSubstr("HTTP/1.1 400"), HasSubstr("HTTP/1.1 413"))) << text.substr(0, 40);
    EXPECT_THAT(received, Not(HasSubstr("HTTP/1.1 200"))) << text.substr(0, 40);
  }
  EXPECT_EQ(touched, 0);
  auto other_client = rig.connect();
  other_client.send(head("Transfer-Encoding: chunked\r\n") + chunk(body.substr(0, 20)) + chunk(body.substr(20)) +
                    "0\r\n\r\n");
  EXPECT_EQ(other_client.answer().status, 200);
}

TEST_F(AttackHttpTest, RejectsContentEncodings) {
  // A gzip header, and plain text with a gzip content encoding.
  const std::string packed("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  for (const auto* coding : {"gzip", "deflate", "br", "zstd", "gzip, gzip", "x-gzip"}) {
    for (const auto* path : {"/mcp", "/rpc", "/rpc/stream"}) {
      const auto lines = stateless_lines("touch") + "Content-Encoding: " + coding + "\r\n";
      EXPECT_EQ(rig.post(path, packed, lines).status, 415) << coding << path;
      EXPECT_EQ(rig.post(path, body, lines).status, 415) << coding << path;
    }
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackHttpTest, ReportsLimitsByStatusCode) {
  EXPECT_EQ(rig.send_request("GET", "/mcp?" + std::string(9'000, 'q')).status, 414);
  EXPECT_EQ(rig.send_request("GET", "/mcp", "X: " + std::string(20'000, 'x') + "\r\n").status, 431);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(rig.send_request("GET", "/mcp", many).status, 431);
  auto large = rig.connect();
  large.send(head("Content-Length: 100000000\r\n"));
  EXPECT_EQ(large.answer().status, 413);
}

TEST_F(AttackHttpTest, SurvivesDisconnectAfterAnyByte) {
  const auto before = test::open_descriptors();
  const auto text = whole();
  for (std::size_t size = 0; size < text.size(); ++size) {
    auto client = rig.connect();
    client.send(std::string_view(text).substr(0, size));
    if (size % 2 == 0) client.end_output();
    client.disconnect();
  }
  EXPECT_EQ(rig.post("/mcp", body, stateless_lines("touch")).status, 200);
  EXPECT_EQ(touched, 1);
  EXPECT_TRUE(eventually([&] { return test::open_descriptors() <= before; }));
}

TEST_F(AttackHttpTest, SurvivesWebSocketDisconnectAfterAnyByte) {
  const auto text = "GET /ws HTTP/1.1\r\nHost: localhost:" + std::to_string(rig.listener().port()) + "\r\n" + upgrade +
                    "Sec-WebSocket-Protocol: mcp\r\n\r\n" + masked(tool_call(1, "hold")) + masked(tool_call(2, "hold"));
  for (std::size_t size = 0; size <= text.size(); ++size) {
    auto client = rig.connect();
    client.send(std::string_view(text).substr(0, size));
    client.disconnect();
  }
  EXPECT_TRUE(eventually([&] { return rig.held() == rig.cancelled(); }));
  EXPECT_EQ(rig.send_request("GET", "/healthz").status, 200);
}

TEST_F(AttackHttpTest, SurvivesStreamDisconnectInAnyState) {
  const auto session = rig.open();
  using RequestParts = std::tuple<std::string, std::string, std::string, std::string>;
  const std::vector<RequestParts> requests{
      {"GET", "/mcp", "Accept: text/event-stream\r\n" + session, ""},
      {"GET", "/sse", "Accept: text/event-stream\r\n", ""},
      {"POST", "/rpc/stream", HttpServerFixture::usual, tool_call(1, "hold")},
      {"POST", "/rpc", HttpServerFixture::usual, tool_call(1, "hold")},
      {"POST", "/mcp", HttpServerFixture::usual + stateless_lines("hold"), stateless_call(1, "hold")}};
  for (int round = 0; round < 20; ++round) {
    for (const auto& [method, path, lines, sent] : requests) {
      auto client = rig.connect();
      client.send_request(method, path, lines, sent);
      if (round % 2 == 0 && method == "GET") client.until("\r\n\r\n");
      client.disconnect();
    }
  }
  EXPECT_TRUE(eventually([&] { return rig.held() == rig.cancelled(); })) << rig.held() << " " << rig.cancelled();
  EXPECT_EQ(rig.post("/mcp", body, stateless_lines("touch")).status, 200);
}

TEST_F(AttackHttpTest, PayloadsCannotForgeResponseHeaders) {
  rig.app().tool("say", "", [](Arg<"text", std::string> text) { return *text; });
  const auto text = R"({"text":"a\r\nX-Forged: yes\r\n\r\nHTTP/1.1 200 OK\r\n"})";
  const auto answer = rig.post("/mcp", stateless_call(1, "say", text), stateless_lines("say"));
  EXPECT_THAT(answer.head, Not(HasSubstr("X-Forged")));
  EXPECT_THAT(answer.body, Not(HasSubstr("\r\nX-Forged")));
  for (const auto* path : {"/nowhere%0d%0aX-Forged:%20yes", "/mcp%0d%0aX-Forged:yes"}) {
    EXPECT_THAT(rig.send_request("GET", path).head, Not(HasSubstr("X-Forged"))) << path;
  }
}

TEST_F(AttackHttpTest, PayloadsCannotForgeSseEvents) {
  rig.app().tool("stream", "", [](Arg<"text", std::string> text, Context& context) -> Task<std::string> {
    co_await context.progress(1, 2, *text);
    co_return *text;
  });
  const auto session = rig.open();
  for (const auto* text : {"a\\ndata: forged", "a\\r\\nevent: endpoint\\r\\ndata: //evil", "a\\rid: 7\\r\\rdata: x",
                           "\\u2028data: x", "\\n\\n: comment"}) {
    const auto call =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stream","arguments":{"text":")" +
        std::string(text) + R"("},"_meta":{"progressToken":1}}})";
    const auto answer = rig.post("/mcp", call, session);
    std::istringstream lines(answer.body);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_FALSE(line.starts_with("data: forged") || line.starts_with("event: endpoint") ||
                   line.starts_with("data: x") || line.starts_with("id: 7") || line.starts_with(": comment"))
          << answer.body;
      EXPECT_EQ(std::ranges::count(line, '\r') - (line.ends_with('\r') ? 1 : 0), 0) << line;
    }
  }
}

}  // namespace
}  // namespace fairlead::attack_http_test
