#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <utility>
#include <vector>

#include "http/http_server.hpp"

namespace fairlead::http::waiting_handler_test {
namespace {

using test::HttpServer;

void wait_until(const std::atomic<int>& count, int reaches) {
  const auto deadline = Deadline::in(std::chrono::seconds{30});
  while (count < reaches && !deadline.passed()) std::this_thread::yield();
  EXPECT_EQ(count, reaches);
}

TEST(WaitingHandler, ResponseIsWrittenWhenItIsReady) {
  HttpServer server;
  auto client = server.connect();
  for (const auto* body : {"one", "two"}) {
    client.send_request("POST", "/soon/whole", "", body);
    const auto answer = client.answer();
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, std::string("whole ") + body);
  }
  wait_until(server.seen().gone, 2);
}

TEST(WaitingHandler, MayEndWithoutAWait) {
  HttpServer server;
  EXPECT_EQ(server.send_request("POST", "/soon/now", "", "x").body, "now x");
}

TEST(WaitingHandler, MayReturnAStream) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/stream");
  EXPECT_EQ(client.answer().body, "6\r\nbegun \r\n6\r\nstream\r\n0\r\n\r\n");
  client.send_request("GET", "/soon/whole");
  EXPECT_EQ(client.answer().body, "whole ");
  wait_until(server.seen().gone, 2);
}

TEST(WaitingHandler, KeepsTheOrderOfPipelinedRequests) {
  HttpServer server;
  auto client = server.connect();
  const std::vector<std::string> paths = {"/now",        "/soon/whole", "/later", "/soon/now",
                                          "/soon/large", "/soon/whole", "/now"};
  std::string requests;
  for (const auto& path : paths) requests += "GET " + path + " HTTP/1.1\r\nHost: " + client.host() + "\r\n\r\n";
  client.send(requests);
  for (const auto* body : {"now", "whole ", "worker 0 ", "now "}) EXPECT_EQ(client.answer().body, body);
  EXPECT_EQ(client.answer().body.size(), 30'000'000u);
  for (const auto* body : {"whole ", "now"}) EXPECT_EQ(client.answer().body, body);
}

TEST(WaitingHandler, HonoursConnectionClose) {
  HttpServer server;
  for (const auto* path : {"/soon/whole", "/soon/now", "/soon/large"}) {
    auto client = server.connect();
    client.send_request("GET", path, "Connection: close\r\n");
    EXPECT_TRUE(client.answer().has("Connection: close")) << path;
    EXPECT_TRUE(client.closed()) << path;
  }
}

TEST(WaitingHandler, OmitsTheBodyForHead) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("HEAD", "/soon/whole");
  EXPECT_TRUE(testing::Value(client.until("\r\n\r\n"), testing::HasSubstr("Content-Length: 6\r\n")));
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().body, "now");
}

TEST(WaitingHandler, IsStoppedWhenTheClientDisconnects) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/never");
  wait_until(server.seen().served, 1);
  EXPECT_EQ(server.seen().gone, 0);
  client.disconnect();
  wait_until(server.seen().gone, 1);
  EXPECT_FALSE(server.log().contains("a handler failed"));
}

// As if it had disconnected: a client that waits for its response keeps the connection open.
TEST(WaitingHandler, IsStoppedWhenTheClientClosesItsOutput) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/never");
  client.end_output();
  EXPECT_EQ(client.until_closed(), "");
  wait_until(server.seen().gone, 1);
}

TEST(WaitingHandler, MayKeepViewsOfTheRequest) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("POST", "/soon/held", "X-Tag: views \r\n", "body");
  wait_until(server.seen().served, 1);
  // Overwrites the read buffer.
  EXPECT_EQ(server.send_request("POST", "/now", "", std::string(3000, '#')).status, 200);
  server.seen().released = true;
  EXPECT_EQ(client.answer().body, "held viewsbody");
}

TEST(WaitingHandler, ResponseIsKeptWhilePreviousResponsesAreWritten) {
  HttpServer server;
  auto client = server.connect();
  constexpr int count = 1000;
  std::string requests;
  for (int i = 0; i < count; ++i) {
    for (const auto* path : {"/8k", "/8k", "/8k", "/soon/whole", "/8k", "/soon/stream"}) {
      requests += "GET " + std::string(path) + " HTTP/1.1\r\nHost: " + client.host() + "\r\n\r\n";
    }
  }
  std::jthread writer([&] { client.send(requests); });
  // Until the socket is full.
  for (int seen = -1; std::exchange(seen, server.seen().served.load()) != server.seen().served || seen == 0;) {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) ASSERT_EQ(client.answer().body.size(), 8000u);
    ASSERT_EQ(client.answer().body, "whole ");
    ASSERT_EQ(client.answer().body.size(), 8000u);
    ASSERT_EQ(client.answer().body, "6\r\nbegun \r\n6\r\nstream\r\n0\r\n\r\n");
  }
}

// Only the handler keeps the connection alive.
TEST(WaitingHandler, RespondsAlthoughTheClientPipelinesTooMuch) {
  ListenOptions options;
  options.limits.pipelined_bytes = 1000;
  HttpServer server(std::move(options));
  auto client = server.connect();
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "GET /soon/whole HTTP/1.1\r\nHost: " + client.host() + "\r\n\r\n";
  std::jthread writer([&] { client.send(requests); });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(client.answer().body, "whole ");
}

TEST(WaitingHandler, FailureIs500) {
  HttpServer server;
  auto client = server.connect();
  for (const auto* path : {"/soon/throw", "/soon/throw-now", "/soon/abort"}) {
    client.send_request("GET", path);
    EXPECT_EQ(client.answer().status, 500) << path;
  }
  using testing::Contains, testing::Field, testing::HasSubstr;
  EXPECT_THAT(server.log().lines(),
              Contains(Field(&CapturingSink::Line::message, HasSubstr("broken on purpose"))).Times(2));
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().body, "now");
}

TEST(WaitingHandler, IsAbortedOnShutdown) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/never");
  wait_until(server.seen().served, 1);
  server.listener().stop(std::chrono::milliseconds{20});
  EXPECT_EQ(client.until_closed(), "");
  EXPECT_EQ(server.seen().gone, 1);
  EXPECT_EQ(server.seen().destroyed, 1);
  EXPECT_FALSE(server.log().contains("failed"));
}

}  // namespace
}  // namespace fairlead::http::waiting_handler_test
