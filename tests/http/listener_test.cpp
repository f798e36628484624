#include <fairlead/http/listener.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "http/http_server.hpp"
#include "support/leak_check.hpp"

namespace fairlead::http::listener_test {
namespace {

using test::HttpServer;
using test::RawClient;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Waits for another thread.
template <class Condition>
bool eventually(Condition condition) {
  const auto deadline = Deadline::in(std::chrono::seconds{30});
  while (!condition() && !deadline.passed()) std::this_thread::yield();
  return condition();
}

TEST(Listener, SendsAReadyResponse) {
  HttpServer server;
  const auto answer = server.send_request("GET", "/now");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "now");
  EXPECT_TRUE(answer.has("Content-Type: text/plain"));
  EXPECT_TRUE(answer.has("Content-Length: 3"));
  EXPECT_THAT(answer.head, HasSubstr("\r\nDate: "));
  EXPECT_THAT(answer.head, Not(HasSubstr("Connection")));
}

TEST(Listener, SendsAResponseOfAnExchange) {
  HttpServer server;
  EXPECT_EQ(server.send_request("POST", "/later", "", "hello").body, "worker 0 hello");
}

TEST(Listener, StreamsAResponse) {
  HttpServer server;
  EXPECT_EQ(server.send_request("GET", "/stream").body, "4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n");
}

TEST(Listener, KeepsConnectionsOpen) {
  HttpServer server;
  auto client = server.connect();
  for (int i = 0; i < 3; ++i) {
    for (const auto* path : {"/now", "/later", "/stream"}) {
      client.send_request("GET", path);
      EXPECT_EQ(client.answer().status, 200);
    }
  }
}

TEST(Listener, AnswersPipelinedRequestsInOrder) {
  HttpServer server;
  auto client = server.connect();
  const std::string host = "Host: " + client.host() + "\r\n";
  std::string requests;
  for (const auto* path : {"/later", "/now", "/stream", "/large", "/later", "/now"}) {
    requests += "GET " + std::string(path) + " HTTP/1.1\r\n" + host + "\r\n";
  }
  client.send(requests);
  EXPECT_EQ(client.answer().body, "worker 0 ");
  EXPECT_EQ(client.answer().body, "now");
  EXPECT_THAT(client.answer().body, EndsWith("three\r\n0\r\n\r\n"));
  EXPECT_EQ(client.answer().body.size(), 3'000'000u);
  EXPECT_EQ(client.answer().body, "worker 0 ");
  EXPECT_EQ(client.answer().body, "now");
}

TEST(Listener, ServesManyPipelinedRequests) {
  HttpServer server;
  auto client = server.connect();
  std::string requests;
  constexpr int count = 5000;
  for (int i = 0; i < count; ++i) {
    requests +=
        "GET /" + std::string(i % 2 == 0 ? "now" : "later") + " HTTP/1.1\r\nHost: " + client.host() + "\r\n\r\n";
  }
  std::jthread writer([&] { client.send(requests); });
  for (int i = 0; i < count; ++i) ASSERT_EQ(client.answer().body, i % 2 == 0 ? "now" : "worker 0 ") << i;
}

TEST(Listener, ReadsChunkedBodies) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("POST", "/now", "Transfer-Encoding: chunked\r\n");
  client.send("3\r\nabc\r\n");
  client.send("2;x=y\r\nde\r\n0\r\n\r\n");
  EXPECT_EQ(client.answer().body, "abcde");
}

TEST(Listener, ReadsLargeBodies) {
  HttpServer server;
  const std::string body(2'000'000, 'b');
  EXPECT_EQ(server.send_request("POST", "/now", "", body).body, body);
}

TEST(Listener, SendsContinue) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("POST", "/now", "Expect: 100-continue\r\nContent-Length: 2\r\n");
  EXPECT_EQ(client.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("hi");
  EXPECT_EQ(client.answer().body, "hi");
}

TEST(Listener, OmitsTheBodyForHead) {
  HttpServer server;
  auto client = server.connect();
  for (const auto* path : {"/now", "/later", "/stream"}) {
    client.send_request("HEAD", path);
    EXPECT_THAT(client.until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK")) << path;
  }
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().body, "now");
}

TEST(Listener, SendsNoLengthFor204And304) {
  HttpServer server;
  const auto answer = server.send_request("GET", "/nothing");
  EXPECT_EQ(answer.status, 204);
  EXPECT_THAT(answer.head, Not(HasSubstr("Content-Length")));
}

TEST(Listener, HonoursConnectionClose) {
  HttpServer server;
  for (const auto* path : {"/now", "/later", "/stream"}) {
    auto client = server.connect();
    client.send_request("GET", path, "Connection: close\r\n");
    const auto answer = client.answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.has("Connection: close")) << path;
    EXPECT_TRUE(client.closed());
  }
}

TEST(Listener, SupportsHttp10) {
  HttpServer server;
  auto client = server.connect();
  client.send("GET /now HTTP/1.0\r\nHost: " + client.host() + "\r\nConnection: keep-alive\r\n\r\n");
  const auto answer = client.answer();
  EXPECT_EQ(answer.body, "now");
  EXPECT_TRUE(answer.has("Connection: keep-alive"));
  client.send("GET /stream HTTP/1.0\r\nHost: " + client.host() + "\r\nConnection: keep-alive\r\n\r\n");
  const auto streamed = client.until_closed();
  EXPECT_THAT(streamed, EndsWith("\r\n\r\none two three"));
  EXPECT_THAT(streamed, Not(HasSubstr("Transfer-Encoding")));
}

TEST(Listener, RejectsInvalidRequestsAndCloses) {
  HttpServer server;
  auto client = server.connect();
  client.send("GET / HTTP/1.1\nHost: a\n\n");
  const auto answer = client.answer();
  EXPECT_EQ(answer.status, 400);
  EXPECT_TRUE(answer.has("Connection: close"));
  EXPECT_THAT(answer.body, HasSubstr("CR LF"));
  EXPECT_TRUE(client.closed());
}

TEST(Listener, DeliversAnErrorWhileTheClientStillSends) {
  ListenOptions options;
  options.limits.body_bytes = 1000;
  HttpServer server(std::move(options));
  auto client = server.connect();
  client.send_request("POST", "/now", "Content-Length: 1000000\r\n");
  client.send(std::string(1'000'000, 'x'));
  EXPECT_EQ(client.answer().status, 413);
  EXPECT_TRUE(client.closed());
}

TEST(Listener, AnswersRequestsBeforeAnInvalidOne) {
  HttpServer server;
  auto client = server.connect();
  client.send("GET /now HTTP/1.1\r\nHost: " + client.host() + "\r\n\r\nnonsense\r\n");
  EXPECT_EQ(client.answer().body, "now");
  EXPECT_EQ(client.answer().status, 400);
}

TEST(Listener, DoesNotLeakABrokenRequestToTheNextClient) {
  HttpServer server;
  for (const auto* broken : {"POST /now HTTP/1.1\r\nHost: a\r\nBad\r\n", "GET /half HTTP/1.1\r\nHos", "nonsense\r\n"}) {
    auto first = server.connect();
    first.send(broken);
    first.end_output();
    first.until_closed();
    EXPECT_EQ(server.send_request("GET", "/now").body, "now");
  }
}

TEST(Listener, FailedHandlerIs500) {
  HttpServer server;
  auto client = server.connect();
  for (const auto* path : {"/throw-now", "/throw", "/silent"}) {
    client.send_request("GET", path);
    const auto answer = client.answer();
    EXPECT_EQ(answer.status, 500) << path;
    EXPECT_THAT(answer.body, Not(HasSubstr("on purpose")));
  }
  EXPECT_THAT(
      server.log().lines(),
      testing::Contains(testing::Field(&CapturingSink::Line::message, HasSubstr("broken on purpose"))).Times(2));
}

TEST(Listener, ClosesAfterAnIncompleteResponse) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/half");
  EXPECT_THAT(client.until_closed(), EndsWith("4\r\nhalf\r\n"));
}

TEST(Listener, PreventsHeaderInjection) {
  HttpServer server;
  const auto answer = server.send_request("GET", "/forged");
  EXPECT_TRUE(answer.has("A: b  C: d"));
  EXPECT_THAT(answer.head, Not(HasSubstr("bad name")));
}

TEST(Listener, StopsHandlersWhenTheClientDisconnects) {
  HttpServer server;
  for (const auto* path : {"/wait", "/events"}) {
    const int before = server.seen().gone;
    const int served = server.seen().served;
    auto client = server.connect();
    client.send_request("GET", path);
    ASSERT_TRUE(eventually([&] { return server.seen().served > served; }));
    client.disconnect();
    EXPECT_TRUE(eventually([&] { return server.seen().gone > before; })) << path;
  }
}

TEST(Listener, StreamsToAHalfClosedClient) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/later");
  client.end_output();
  EXPECT_EQ(client.answer().body, "worker 0 ");
  EXPECT_TRUE(client.closed());
}

TEST(Listener, AppliesBackpressure) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/flood");
  client.send_request("GET", "/large");
  client.send_request("GET", "/now");
  const auto flood = client.answer();
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(flood.body, 'y')), 200u * 100'000u);
  EXPECT_EQ(client.answer().body.size(), 3'000'000u);
  EXPECT_EQ(client.answer().body, "now");
}

TEST(Listener, WriteFailsWhenTheClientDisconnects) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/flood");
  client.until("\r\n\r\n");
  client.disconnect();
  EXPECT_TRUE(eventually([&] { return server.seen().write_failed == 1; }));
}

TEST(Listener, RejectsTooManyConnections) {
  ListenOptions options;
  options.limits.connections = 2;
  HttpServer server(std::move(options));
  auto first = server.connect();
  auto second = server.connect();
  for (auto* client : {&first, &second}) client->send_request("GET", "/wait");
  ASSERT_TRUE(eventually([&] { return server.seen().served == 2; }));
  auto third = server.connect();
  EXPECT_EQ(third.answer().status, 503);
  EXPECT_TRUE(third.closed());
  first.disconnect();
  third.disconnect();
  EXPECT_TRUE(eventually([&] { return server.send_request("GET", "/now").status == 200; }));
}

TEST(Listener, Finding_S23_ClosesTheLongestIdleConnectionAtTheLimit) {
  ListenOptions options;
  options.limits.connections = 2;
  HttpServer server(std::move(options));
  auto first = server.connect();
  auto second = server.connect();
  for (auto* client : {&first, &second}) {
    client->send_request("GET", "/now");
    EXPECT_EQ(client->answer().status, 200);
  }
  auto third = server.connect();
  third.send_request("GET", "/now");
  EXPECT_EQ(third.answer().status, 200);
  EXPECT_TRUE(first.closed());
  second.send_request("GET", "/now");
  EXPECT_EQ(second.answer().status, 200);
}

TEST(Listener, LimitsReadAhead) {
  ListenOptions options;
  options.limits.pipelined_bytes = 1000;
  HttpServer server(std::move(options));
  auto client = server.connect();
  client.send_request("GET", "/later");
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "GET /later HTTP/1.1\r\nHost: " + client.host() + "\r\n\r\n";
  std::jthread writer([&] { client.send(requests); });
  for (int i = 0; i < 1001; ++i) ASSERT_EQ(client.answer().body, "worker 0 ");
}

TEST(Listener, LeaksNoDescriptors) {
  const auto before = test::open_descriptors();
  {
    HttpServer server;
    auto client = server.connect();
    client.send_request("GET", "/events");
    client.until(": hello");
    EXPECT_EQ(server.send_request("GET", "/now").status, 200);
  }
  EXPECT_EQ(test::open_descriptors(), before);
}

}  // namespace
}  // namespace fairlead::http::listener_test
