#include <fairlead/http/identity.hpp>
#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"

/// Streams end a minute after the token that opened them expires.
namespace fairlead::stream_expiry_test {
namespace {

using namespace test;
using Clock = std::chrono::system_clock;

/// Accepts all requests, as those of a token that expires at a given time.
struct TokenUntil final : http::AccessCheck {
  explicit TokenUntil(std::optional<Clock::time_point> end) : expires(end) {}
  Task<std::optional<http::Response>> refuse(http::Request& request) const override {
    request.principal = "ann";
    request.identity =
        std::make_shared<const http::Identity>(http::Identity{.principal = "ann", .scopes = {}, .expires = expires});
    return std::nullopt;
  }
  std::optional<Clock::time_point> expires;
};

http::ListenOptions with_token_until(std::optional<Clock::time_point> end) {
  http::ListenOptions listen;
  listen.access_checks.push_back(std::make_shared<const TokenUntil>(end));
  return listen;
}

const std::string stateless_listen =
    R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

/// The kinds of streams, each begun on a connection of its own.
struct Stream {
  const char* name;
  std::string begins;  ///< Text that shows that the stream is open.
  std::function<void(HttpServerFixture&, RawClient&)> open;
};

std::vector<Stream> streams() {
  const std::string events = "Accept: text/event-stream\r\n";
  return {
      {"GET /mcp", "text/event-stream",
       [events](HttpServerFixture& rig, RawClient& raw) { raw.send_request("GET", "/mcp", events + rig.open()); }},
      {"subscriptions/listen", "text/event-stream",
       [](HttpServerFixture&, RawClient& raw) {
         raw.send_request(
             "POST", "/mcp",
             HttpServerFixture::usual + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
             stateless_listen);
       }},
      {"GET /sse", "event: endpoint",
       [events](HttpServerFixture&, RawClient& raw) { raw.send_request("GET", "/sse", events); }},
      {"WebSocket", "101 Switching Protocols",
       [](HttpServerFixture&, RawClient& raw) { raw.send_request("GET", "/ws", upgrade); }},
  };
}

/// True if the stream ends within `timeout`.
bool ends(HttpServerFixture& rig, const Stream& stream, std::chrono::seconds timeout) {
  auto raw = rig.connect();
  stream.open(rig, raw);
  raw.until(stream.begins);
  const timeval limit{.tv_sec = timeout.count(), .tv_usec = 0};
  ::setsockopt(raw.descriptor(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  std::string received;
  std::array<char, 4096> buffer = {};
  while (true) {
    const auto size = ::recv(raw.descriptor(), buffer.data(), buffer.size(), 0);
    if (size < 0) return false;
    received.append(buffer.data(), static_cast<std::size_t>(size));
    if (size == 0 || received.ends_with("0\r\n\r\n") || contains(received, "token expired")) return true;
  }
}

TEST(StreamExpiry, EveryStreamEndsAMinuteAfterItsToken) {
  // The minute is over in two seconds.
  HttpServerFixture rig(1, with_token_until(Clock::now() - std::chrono::seconds{58}));
  for (const auto& stream : streams()) EXPECT_TRUE(ends(rig, stream, std::chrono::seconds{20})) << stream.name;
}

TEST(StreamExpiry, StreamsOutliveTheirTokenByAMinute) {
  HttpServerFixture rig(1, with_token_until(Clock::now()));
  for (const auto& stream : streams()) EXPECT_FALSE(ends(rig, stream, std::chrono::seconds{2})) << stream.name;
}

TEST(StreamExpiry, StreamsOfKeysDoNotEnd) {
  HttpServerFixture rig(1, with_token_until(std::nullopt));
  for (const auto& stream : streams()) EXPECT_FALSE(ends(rig, stream, std::chrono::seconds{2})) << stream.name;
}

TEST(StreamExpiry, ACallIsNotEndedByItsToken) {
  HttpServerFixture rig(1, with_token_until(Clock::now() - std::chrono::minutes{2}));
  auto call = rig.connect();
  call.send_request("POST", "/mcp", HttpServerFixture::usual + stateless_lines("hold"), stateless_call(7, "hold"));
  ASSERT_TRUE(eventually([&] { return rig.held() == 1; }));
  std::this_thread::sleep_for(std::chrono::seconds{2});
  EXPECT_EQ(rig.cancelled(), 0);
}

}  // namespace
}  // namespace fairlead::stream_expiry_test
