#include <fairlead/transport/http_sse.hpp>

#include <gtest/gtest.h>

#include "support/endpoint_bench.hpp"

namespace fairlead::transport::http_sse_test {
namespace {

using namespace test;

struct Sse : EndpointBench<HttpSse> {
  explicit Sse(HttpSseOptions options = {})
      : EndpointBench([&](EventLoop loop, SessionFactory& factory) {
          return std::make_unique<HttpSse>(loop, 0, factory, std::move(options));
        }) {}

  ActiveRequest listen(std::string principal = {}) {
    return start("GET", "/sse", {{"Accept", "text/event-stream"}}, "", std::move(principal));
  }
  ActiveRequest send(const std::string& address, std::string body, std::string principal = {}) {
    return start("POST", address, {{"Content-Type", "application/json"}}, std::move(body), std::move(principal));
  }
};

/// Endpoint that the stream names.
std::string address(const Sse::ActiveRequest& stream) {
  const std::string start = "event: endpoint\ndata: ";
  EXPECT_TRUE(stream->body().starts_with(start)) << stream->body();
  return stream->body().substr(start.size(), stream->body().find("\n\n") - start.size());
}

constexpr auto ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

TEST(HttpSse, S2_43_FirstEventIsTheEndpoint) {
  Sse sse;
  const auto stream = sse.listen();
  EXPECT_EQ(stream->head().content_type, "text/event-stream");
  EXPECT_TRUE(address(stream).starts_with("/messages?sessionId=0."));
}

TEST(HttpSse, S4_06_RespondsOnTheStream) {
  Sse sse;
  const auto stream = sse.listen();
  const auto sent = sse.send(address(stream), ping);
  EXPECT_EQ(sent->status(), 202);
  EXPECT_EQ(sse.factory().session().received, std::vector<std::string>{ping});
  sse.send_to_client(result(1), 1);
  EXPECT_TRUE(stream->body().ends_with("\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"));
}

TEST(HttpSse, EndpointContainsTheProxyPrefix) {
  Sse sse({.base = "/tools/mcp", .messages = "/post"});
  EXPECT_TRUE(address(sse.listen()).starts_with("/tools/mcp/post?sessionId="));
}

TEST(HttpSse, SessionEndsWithItsStream) {
  Sse sse;
  const auto stream = sse.listen();
  const auto where = address(stream);
  stream->leave();
  sse.loop().poll();
  EXPECT_TRUE(sse.factory().session().closed);
  EXPECT_TRUE(stream.done.done());
  EXPECT_EQ(sse.endpoint().streams(), 0u);
  EXPECT_EQ(sse.send(where, ping)->status(), 404);
}

TEST(HttpSse, ClientsWithEqualIdsGetTheirOwnResponses) {
  Sse sse;
  const auto first = sse.listen();
  const auto second = sse.listen();
  sse.send(address(first), ping);
  sse.send(address(second), ping);
  sse.send_to_client(result(1, R"({"who":2})"), 1, 1);
  sse.send_to_client(result(1, R"({"who":1})"), 1, 0);
  EXPECT_NE(first->body().find("\"who\":1"), std::string::npos);
  EXPECT_EQ(first->body().find("\"who\":2"), std::string::npos);
  EXPECT_NE(second->body().find("\"who\":2"), std::string::npos);
}

TEST(HttpSse, RejectsPostsOfOtherPrincipals) {
  Sse sse;
  const auto stream = sse.listen("ann");
  EXPECT_EQ(sse.send(address(stream), ping, "bob")->status(), 404);
  EXPECT_EQ(sse.send(address(stream), ping, "ann")->status(), 202);
}

TEST(HttpSse, InvalidPostsAre4xx) {
  Sse sse;
  const auto where = address(sse.listen());
  EXPECT_EQ(sse.send("/messages", ping)->status(), 400);
  EXPECT_EQ(sse.send("/messages?sessionId=0.AAAA", ping)->status(), 404);
  EXPECT_EQ(sse.send(where, "{nonsense")->status(), 400);
  EXPECT_EQ(sse.start("POST", where, {{"Content-Type", "text/plain"}}, ping)->status(), 415);
  EXPECT_EQ(sse.start("POST", "/sse", {}, ping)->status(), 405);
  EXPECT_EQ(sse.start("GET", where, {})->status(), 405);
  EXPECT_EQ(sse.start("GET", "/sse", {{"Accept", "text/html"}})->status(), 406);
}

TEST(HttpSse, PostsAreRoutedToTheWorkerOfTheStream) {
  Sse sse({.workers = 4});
  FakeExchange exchange(sse.loop().loop(), "POST", "/messages?x=1&sessionId=3.AAAA");
  EXPECT_EQ(sse.endpoint().preferred_worker(exchange.request()), 3u);
}

TEST(HttpSse, TooManyStreamsAre503) {
  Sse sse({.max_streams = 1});
  const auto first = sse.listen();
  EXPECT_EQ(sse.listen()->status(), 503);
}

TEST(HttpSse, Finding_S7_RejectsRequestsOfAClientThatDoesNotRead) {
  Sse sse;
  const auto stream = sse.listen();
  sse.factory().session().backlogged = true;
  const auto sent = sse.send(address(stream), ping);
  EXPECT_EQ(sent->status(), 503);
  EXPECT_NE(sent->body().find("Busy"), std::string::npos) << sent->body();
  EXPECT_EQ(sent->header("Retry-After"), "1");
  const auto posted = sse.send(address(stream), R"({"jsonrpc":"2.0","method":"notifications/x"})");
  EXPECT_EQ(posted->status(), 202);
  EXPECT_EQ(sse.factory().session().received.size(), 1U);
}

TEST(HttpSse, Finding_S13_InvalidResponseFailsTheServerRequest) {
  Sse sse;
  const auto stream = sse.listen();
  const auto sent = sse.send(address(stream), R"({"jsonrpc":"2.0","id":4,"result":{},"error":{}})");
  EXPECT_EQ(sent->status(), 400);
  ASSERT_EQ(sse.factory().session().received.size(), 1U);
  EXPECT_NE(sse.factory().session().received[0].find("4"), std::string::npos) << sse.factory().session().received[0];
}

}  // namespace
}  // namespace fairlead::transport::http_sse_test
