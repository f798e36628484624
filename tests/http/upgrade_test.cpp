#include "http/upgrade.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_server.hpp"
#include "http/websocket_frame.hpp"

namespace fairlead::http::upgrade_test {
namespace {

const std::vector<std::string> known{"mcp", "v2"};

// RFC 6455, section 1.3.
constexpr std::string_view key = "dGhlIHNhbXBsZSBub25jZQ==";
constexpr std::string_view accepted = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

std::vector<HeaderView> handshake() {
  return {{"Upgrade", "WebSocket"},
          {"Connection", "keep-alive, Upgrade"},
          {"Sec-WebSocket-Version", "13"},
          {"Sec-WebSocket-Key", key}};
}

Upgrade answer(std::vector<HeaderView> headers, std::string_view method = "GET") {
  Request request;
  request.method = method;
  request.headers = std::move(headers);
  return answer_upgrade(request, known, true);
}

std::vector<HeaderView> without(std::string_view name) {
  auto headers = handshake();
  std::erase_if(headers, [&](const HeaderView& field) { return field.name == name; });
  return headers;
}

TEST(Upgrade, SendsAcceptForTheKey) {
  const auto upgrade = answer(handshake());
  EXPECT_EQ(upgrade.response.status, 101);
  EXPECT_THAT(upgrade.response.headers, testing::Contains(Header{"Sec-WebSocket-Accept", std::string(accepted)}));
  EXPECT_EQ(upgrade.subprotocol, "");
}

TEST(Upgrade, SelectsTheFirstSupportedSubprotocol) {
  auto headers = handshake();
  headers.push_back({"Sec-WebSocket-Protocol", "other, v2 , mcp"});
  const auto upgrade = answer(headers);
  EXPECT_EQ(upgrade.subprotocol, "v2");
  EXPECT_THAT(upgrade.response.headers, testing::Contains(Header{"Sec-WebSocket-Protocol", "v2"}));
}

TEST(Upgrade, RespondsUpgradeRequired) {
  for (const auto* name : {"Upgrade", "Connection", "Sec-WebSocket-Version"}) {
    const auto upgrade = answer(without(name));
    EXPECT_EQ(upgrade.response.status, 426) << name;
    EXPECT_THAT(upgrade.response.headers, testing::Contains(Header{"Upgrade", "websocket"}));
  }
}

TEST(Upgrade, RejectsOtherVersions) {
  auto headers = without("Sec-WebSocket-Version");
  headers.push_back({"Sec-WebSocket-Version", "8"});
  const auto upgrade = answer(headers);
  EXPECT_EQ(upgrade.response.status, 426);
  EXPECT_THAT(upgrade.response.headers, testing::Contains(Header{"Sec-WebSocket-Version", "13"}));
}

TEST(Upgrade, RejectsInvalidKeys) {
  EXPECT_EQ(answer(without("Sec-WebSocket-Key")).response.status, 400);
  for (const auto* bad : {"", "abc", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZSE="}) {
    auto headers = without("Sec-WebSocket-Key");
    headers.push_back({"Sec-WebSocket-Key", bad});
    EXPECT_EQ(answer(headers).response.status, 400) << bad;
  }
  auto twice = handshake();
  twice.push_back({"Sec-WebSocket-Key", key});
  EXPECT_EQ(answer(twice).response.status, 400);
}

TEST(Upgrade, RejectsOtherMethods) {
  EXPECT_EQ(answer(handshake(), "POST").response.status, 400);
}

constexpr std::string_view handshake_lines =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

std::string frame(std::string_view text) {
  std::string bytes;
  write_frame(bytes, Opcode::text, text, MaskKey{1, 2, 3, 4});
  return bytes;
}

TEST(Upgrade, UpgradesAConnection) {
  test::HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().status, 200);
  client.send_request("GET", "/ws", std::string(handshake_lines) + "Sec-WebSocket-Protocol: mcp\r\n");
  const auto answer = client.answer();
  EXPECT_EQ(answer.status, 101);
  EXPECT_TRUE(answer.has("Connection: Upgrade"));
  EXPECT_TRUE(answer.has("Sec-WebSocket-Protocol: mcp"));
  for (const auto* text : {"hello", "again"}) {
    client.send(frame(text));
    EXPECT_THAT(client.until(text), testing::EndsWith(text));
  }
}

TEST(Upgrade, KeepsFramesSentWithTheHandshake) {
  test::HttpServer server;
  auto client = server.connect();
  client.send("GET /ws HTTP/1.1\r\nHost: " + client.host() + "\r\n" + std::string(handshake_lines) + "\r\n" +
              frame("early"));
  EXPECT_EQ(client.answer().status, 101);
  client.until("early");
}

TEST(Upgrade, RejectsInvalidHandshakeAndKeepsTheConnection) {
  test::HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/ws");
  EXPECT_EQ(client.answer().status, 426);
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().status, 200);
}

TEST(Upgrade, EndsWithTheListener) {
  test::HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/ws", handshake_lines);
  EXPECT_EQ(client.answer().status, 101);
  server.listener().stop({});
  EXPECT_EQ(server.seen().destroyed, 1);
}

TEST(Upgrade, RejectsForeignOrigins) {
  test::HttpServer server;
  const auto lines = std::string(handshake_lines) + "Origin: http://evil.example\r\n";
  EXPECT_EQ(server.send_request("GET", "/ws", lines).status, 403);
}

}  // namespace
}  // namespace fairlead::http::upgrade_test
