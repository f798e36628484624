#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"

/// Clients that use each other's request ids, progress tokens and event ids: no client gets another's messages.
namespace fairlead::attack_ids_test {
namespace {

using namespace test;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> ids{"0",
                                   R"("0")",
                                   "1",
                                   "1.0",
                                   "1e0",
                                   "-1",
                                   "9223372036854775808",
                                   "18446744073709551616",
                                   R"("")",
                                   R"("9223372036854775808")",
                                   '"' + std::string(10'000, 'x') + '"'};

std::string echo(const std::string& id, const std::string& nonce) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" +
         nonce + "\"}}}";
}

std::string stateless_echo(const std::string& id, const std::string& nonce) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" +
         nonce + R"("},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
         R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
}

void expect_own(const std::string& received, const std::string& id, const std::string& own, const std::string& others) {
  EXPECT_THAT(received, HasSubstr(R"("id":)" + id + ",")) << id.substr(0, 30);
  EXPECT_THAT(received, HasSubstr(own)) << id.substr(0, 30);
  EXPECT_THAT(received, Not(HasSubstr(others))) << id.substr(0, 30);
}

TEST(SameIds, DoNotMixTwoSessions) {
  HttpServerFixture rig(2);
  const auto first = rig.open();
  const auto second = rig.open();
  for (const auto& id : ids) {
    auto one = rig.connect();
    auto two = rig.connect();
    one.send_request("POST", "/mcp", HttpServerFixture::usual + first, echo(id, "nonce-one"));
    two.send_request("POST", "/mcp", HttpServerFixture::usual + second, echo(id, "nonce-two"));
    expect_own(two.answer().body, id, "nonce-two", "nonce-one");
    expect_own(one.answer().body, id, "nonce-one", "nonce-two");
  }
}

TEST(SameIds, DoNotMixStatelessClients) {
  HttpServerFixture rig(2);
  for (const auto& id : ids) {
    auto one = rig.connect();
    auto two = rig.connect();
    one.send_request("POST", "/mcp", HttpServerFixture::usual + stateless_lines("echo"),
                     stateless_echo(id, "nonce-one"));
    two.send_request("POST", "/mcp", HttpServerFixture::usual + stateless_lines("echo"),
                     stateless_echo(id, "nonce-two"));
    expect_own(two.answer().body, id, "nonce-two", "nonce-one");
    expect_own(one.answer().body, id, "nonce-one", "nonce-two");
  }
}

TEST(SameIds, DoNotMixTwoWebSockets) {
  HttpServerFixture rig(2);
  auto one = rig.connect();
  auto two = rig.connect();
  for (auto* client : {&one, &two}) {
    client->send_request("GET", "/ws", upgrade + "Sec-WebSocket-Protocol: mcp\r\n");
    client->until("\r\n\r\n");
  }
  for (const auto& id : ids) {
    one.send(masked(echo(id, "nonce-one")));
    two.send(masked(echo(id, "nonce-two")));
    expect_own(two.until("}}"), id, "nonce-two", "nonce-one");
    expect_own(one.until("}}"), id, "nonce-one", "nonce-two");
  }
}

TEST(SameIds, DoNotMixTwoHttpSseStreams) {
  HttpServerFixture rig(2);
  struct Stream {
    RawClient client;
    std::string address;
  };
  const auto open = [&] {
    Stream stream{rig.connect(), ""};
    stream.client.send_request("GET", "/sse", "Accept: text/event-stream\r\n");
    stream.client.until("data: ");
    stream.address = stream.client.until("\n");
    stream.address.pop_back();
    return stream;
  };
  auto one = open();
  auto two = open();
  for (const auto& id : ids) {
    EXPECT_EQ(rig.post(one.address, echo(id, "nonce-one")).status, 202);
    EXPECT_EQ(rig.post(two.address, echo(id, "nonce-two")).status, 202);
    two.client.until("data: ");
    expect_own(two.client.until("\n\n"), id, "nonce-two", "nonce-one");
    one.client.until("data: ");
    expect_own(one.client.until("\n\n"), id, "nonce-one", "nonce-two");
  }
}

TEST(SameIds, InvalidIdsAreRejectedOnEveryEndpoint) {
  HttpServerFixture rig(1);
  const auto session = rig.open();
  for (const auto* id : {"null", "true", "[1]", "{}"}) {
    EXPECT_EQ(rig.post("/mcp", echo(id, "x"), session).status, 400) << id;
    EXPECT_EQ(rig.post("/mcp", stateless_echo(id, "x"), stateless_lines("echo")).status, 400) << id;
    EXPECT_EQ(rig.post("/rpc", echo(id, "x")).status, 400) << id;
  }
}

TEST(SameTokens, ProgressOfOneClientNeverReachesAnother) {
  HttpServerFixture rig(2);
  rig.app().tool("work", "", [](Arg<"nonce", std::string> nonce, Context& context) -> Task<std::string> {
    co_await context.progress(1, 2, *nonce);
    co_return *nonce;
  });
  const auto first = rig.open();
  const auto second = rig.open();
  const auto work = [](const std::string& nonce) {
    return R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"work","arguments":{"nonce":")" + nonce +
           R"("},"_meta":{"progressToken":0}}})";
  };
  auto quiet = rig.connect();
  quiet.send_request("GET", "/mcp", "Accept: text/event-stream\r\n" + second);
  auto one = rig.connect();
  auto two = rig.connect();
  one.send_request("POST", "/mcp", HttpServerFixture::usual + first, work("nonce-one"));
  two.send_request("POST", "/mcp", HttpServerFixture::usual + second, work("nonce-two"));
  const auto received_one = one.answer().body;
  const auto received_two = two.answer().body;
  EXPECT_THAT(received_one, HasSubstr(R"("progressToken":0,"progress":1)"));
  EXPECT_THAT(received_one, Not(HasSubstr("nonce-two")));
  EXPECT_THAT(received_two, HasSubstr("nonce-two"));
  EXPECT_THAT(received_two, Not(HasSubstr("nonce-one")));
  rig.send_request("DELETE", "/mcp", second);
  EXPECT_THAT(quiet.answer().body, Not(HasSubstr("nonce")));
}

TEST(SameEventIds, DoNotReplayAnotherSession) {
  HttpServerFixture rig(2);
  const auto first = rig.open();
  const auto second = rig.open();
  rig.app().tool("talk", "", [](Arg<"nonce", std::string> nonce, Context& context) -> Task<std::string> {
    co_await context.progress(1, 2, *nonce);
    co_return *nonce;
  });
  auto call = rig.connect();
  call.send_request(
      "POST", "/mcp", HttpServerFixture::usual + first,
      R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"talk","arguments":{"nonce":"secret"},)"
      R"("_meta":{"progressToken":0}}})");
  const auto received = call.answer().body;
  ASSERT_THAT(received, HasSubstr("secret"));
  const auto at = received.find("id: ");
  ASSERT_NE(at, std::string::npos);
  const auto event = received.substr(at + 4, received.find('\n', at) - at - 4);

  auto thief = rig.connect();
  thief.send_request("GET", "/mcp", "Accept: text/event-stream\r\nLast-Event-ID: " + event + "\r\n" + second);
  // An event id of another session is rejected, or the stream stays empty until the session ends.
  rig.send_request("DELETE", "/mcp", second);
  EXPECT_THAT(thief.answer().body, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace fairlead::attack_ids_test
