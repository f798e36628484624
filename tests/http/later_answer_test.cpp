#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "http/http_server.hpp"

namespace fairlead::http::later_answer_test {
namespace {

using test::HttpServer;

void wait_until(const std::atomic<int>& count, int reaches) {
  const auto deadline = Deadline::in(std::chrono::seconds{30});
  while (count < reaches && !deadline.passed()) std::this_thread::yield();
  EXPECT_EQ(count, reaches);
}

TEST(LaterAnswer, IsWrittenWhenItIsReady) {
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

TEST(LaterAnswer, MayBeReadyAtOnce) {
  HttpServer server;
  EXPECT_EQ(server.send_request("POST", "/soon/now", "", "x").body, "now x");
}

TEST(LaterAnswer, MayBecomeAStream) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/stream");
  EXPECT_EQ(client.answer().body, "6\r\nbegun \r\n6\r\nstream\r\n0\r\n\r\n");
  client.send_request("GET", "/soon/whole");
  EXPECT_EQ(client.answer().body, "whole ");
  wait_until(server.seen().gone, 2);
}

TEST(LaterAnswer, KeepsTheOrderOfPipelinedRequests) {
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

TEST(LaterAnswer, HonoursConnectionClose) {
  HttpServer server;
  for (const auto* path : {"/soon/whole", "/soon/now", "/soon/large"}) {
    auto client = server.connect();
    client.send_request("GET", path, "Connection: close\r\n");
    EXPECT_TRUE(client.answer().has("Connection: close")) << path;
    EXPECT_TRUE(client.closed()) << path;
  }
}

TEST(LaterAnswer, OmitsTheBodyForHead) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("HEAD", "/soon/whole");
  EXPECT_TRUE(testing::Value(client.until("\r\n\r\n"), testing::HasSubstr("Content-Length: 6\r\n")));
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().body, "now");
}

TEST(LaterAnswer, IsDestroyedWhenTheClientDisconnects) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/never");
  wait_until(server.seen().served, 1);
  EXPECT_EQ(server.seen().gone, 0);
  client.disconnect();
  wait_until(server.seen().gone, 1);
}

// Only the pending response keeps the connection alive.
TEST(LaterAnswer, IsSentAlthoughTheClientPipelinesTooMuch) {
  ListenOptions options;
  options.limits.pipelined_bytes = 1000;
  HttpServer server(std::move(options));
  auto client = server.connect();
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "GET /soon/whole HTTP/1.1\r\nHost: " + client.host() + "\r\n\r\n";
  std::jthread writer([&] { client.send(requests); });
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(client.answer().body, "whole ");
}

TEST(LaterAnswer, FailureIs500) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/throw");
  EXPECT_EQ(client.answer().status, 500);
  EXPECT_TRUE(server.log().contains("broken on purpose"));
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().body, "now");
}

TEST(LaterAnswer, IsAbortedOnShutdown) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("GET", "/soon/never");
  wait_until(server.seen().served, 1);
  server.listener().stop(std::chrono::milliseconds{20});
  EXPECT_EQ(client.until_closed(), "");
  EXPECT_EQ(server.seen().gone, 1);
  EXPECT_EQ(server.seen().destroyed, 1);
}

}  // namespace
}  // namespace fairlead::http::later_answer_test
