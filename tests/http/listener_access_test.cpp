#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/http/listener.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/http_server.hpp"

namespace fairlead::http::listener_access_test {
namespace {

using test::HttpServer;
using test::RawClient;
using testing::HasSubstr;

TEST(ListenerAccess, RefusesAllInterfacesWithoutAuthentication) {
  NullSink log;
  Workers workers(1, log);
  for (const auto* host : {"0.0.0.0", "::", "192.0.2.1", "[::]"}) {
    Listener listener(workers, log, {.host = host}, {});
    const auto opened = listener.open();
    ASSERT_FALSE(opened) << host;
    EXPECT_THAT(opened.error().message, HasSubstr("authentication"));
  }
}

TEST(ListenerAccess, AllowsAllInterfacesIfInsecure) {
  for (const ListenOptions& options :
       {ListenOptions{.host = "0.0.0.0", .insecure = true}, ListenOptions{.host = "0.0.0.0", .authenticated = true}}) {
    HttpServer server(options);
    EXPECT_EQ(server.send_request("GET", "/now").status, 200);
    EXPECT_EQ(server.listener().url(), "http://0.0.0.0:" + std::to_string(server.listener().port()));
  }
}

TEST(ListenerAccess, SupportsIpv6) {
  HttpServer server({.host = "[::1]"});
  EXPECT_EQ(server.listener().url(), "http://[::1]:" + std::to_string(server.listener().port()));
  RawClient client(server.listener().port(), "::1");
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().body, "now");
}

TEST(ListenerAccess, ReportsAPortInUse) {
  for (const std::size_t count : {1u, 2u}) {
    HttpServer server({}, count);
    NullSink log;
    Workers workers(count, log);
    Listener second(workers, log, {.port = server.listener().port()}, {});
    const auto opened = second.open();
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().message, HasSubstr("choose another port"));
  }
}

TEST(ListenerAccess, RejectsForeignHostsOnEveryPath) {
  HttpServer server;
  for (const auto* path : {"/now", "/later", "/ws", "/unknown"}) {
    auto client = server.connect();
    client.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    EXPECT_EQ(client.answer().status, 403) << path;
  }
  EXPECT_EQ(server.seen().served, 0);
}

TEST(ListenerAccess, RejectsForeignOriginsOnEveryPath) {
  HttpServer server;
  for (const auto* lines : {"Origin: http://evil.example\r\n", "Origin: null\r\n"}) {
    for (const auto* path : {"/now", "/later", "/ws", "/unknown"}) {
      EXPECT_EQ(server.send_request("GET", path, lines).status, 403) << path;
    }
  }
  EXPECT_EQ(server.seen().served, 0);
}

TEST(ListenerAccess, SendsCorsHeadersOnEveryResponse) {
  ListenOptions options;
  options.cors.origins = {"https://app.example"};
  HttpServer server(std::move(options));
  auto client = server.connect();
  for (const auto* path : {"/now", "/later", "/stream", "/throw", "/throw-now", "/nothing"}) {
    client.send_request("GET", path, "Origin: https://app.example\r\n");
    const auto answer = client.answer();
    EXPECT_TRUE(answer.has("Access-Control-Allow-Origin: https://app.example")) << path;
    EXPECT_TRUE(answer.has("Vary: Origin"));
  }
  client.send_request("OPTIONS", "/now", "Origin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n");
  EXPECT_EQ(client.answer().status, 204);
}

class NamedAccessCheck final : public AccessCheck {
 public:
  Task<std::optional<Response>> refuse(Request& request) const override {
    if (!request.header("Authorization")) return Response{.status = 401};
    request.principal = *request.header("Authorization");
    return std::nullopt;
  }
};

TEST(ListenerAccess, RunsAccessChecksBeforeTheHandler) {
  ListenOptions options;
  options.access_checks = {std::make_shared<NamedAccessCheck>()};
  HttpServer server(std::move(options));
  EXPECT_EQ(server.send_request("GET", "/later").status, 401);
  EXPECT_EQ(server.seen().served, 0);
  EXPECT_EQ(server.send_request("GET", "/who", "Authorization: anna\r\n").body, "anna");
}

TEST(ListenerAccess, PrincipalIsPerRequest) {
  class Once final : public AccessCheck {
   public:
    Task<std::optional<Response>> refuse(Request& request) const override {
      if (const auto name = request.header("Authorization")) request.principal = *name;
      return std::nullopt;
    }
  };
  ListenOptions options;
  options.access_checks = {std::make_shared<Once>()};
  HttpServer server(std::move(options));
  auto client = server.connect();
  client.send_request("GET", "/who", "Authorization: anna\r\n");
  EXPECT_EQ(client.answer().body, "anna");
  client.send_request("GET", "/who");
  EXPECT_EQ(client.answer().body, "");
}

// The body never arrives: a server that waits for it does not respond.
TEST(ListenerAccess, Finding_S8_RejectsBeforeReadingTheBody) {
  struct RejectsAll final : AccessCheck {
    Task<std::optional<Response>> refuse(Request&) const override { return Response{.status = 401, .body = "no key"}; }
  };
  HttpServer open;
  ListenOptions options;
  options.access_checks = {std::make_shared<RejectsAll>()};
  HttpServer keyed(std::move(options));
  for (const auto* length : {"Content-Length: 60000000\r\n", "Transfer-Encoding: chunked\r\n",
                             "Content-Length: 60000000\r\nExpect: 100-continue\r\n"}) {
    auto untrusted = open.connect();
    untrusted.send("POST /echo HTTP/1.1\r\nHost: evil.example\r\n" + std::string(length) + "\r\n");
    auto answer = untrusted.answer();
    EXPECT_EQ(answer.status, 403) << length;
    EXPECT_TRUE(answer.has("Connection: close")) << answer.head;
    auto page = open.connect();
    page.send_request("POST", "/echo", "Origin: http://evil.example\r\n" + std::string(length));
    EXPECT_EQ(page.answer().status, 403) << length;
    auto keyless = keyed.connect();
    keyless.send_request("POST", "/echo", length);
    answer = keyless.answer();
    EXPECT_EQ(answer.status, 401) << length;
    EXPECT_EQ(answer.body, "no key");
  }
  EXPECT_EQ(open.seen().served + keyed.seen().served, 0);
}

TEST(ListenerAccess, Finding_S8_RejectedSmallRequestKeepsTheConnection) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("POST", "/echo", "Origin: http://evil.example\r\n", "small");
  EXPECT_EQ(client.answer().status, 403);
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().status, 200);
}

TEST(ListenerAccess, RunsAccessChecksOnceForADelayedBody) {
  struct Counting final : AccessCheck {
    explicit Counting(std::atomic<int>& checks) : count(checks) {}
    Task<std::optional<Response>> refuse(Request& request) const override {
      ++count;
      request.principal = "ann";
      return std::nullopt;
    }
    std::atomic<int>& count;
  };
  std::atomic<int> checks = 0;
  ListenOptions options;
  options.access_checks = {std::make_shared<Counting>(checks)};
  HttpServer server(std::move(options));
  auto client = server.connect();
  client.send_request("POST", "/now", "Content-Length: 5\r\nExpect: 100-continue\r\n");
  client.until("HTTP/1.1 100 Continue\r\n\r\n");
  client.send("12345");
  EXPECT_EQ(client.answer().status, 200);
  EXPECT_EQ(checks, 1);
}

/// Accepts requests with an Authorization header and refuses others, both after a wait.
class WaitingCheck final : public AccessCheck {
 public:
  Task<std::optional<Response>> refuse(Request& request) const override { return refuse_later(request); }

 private:
  static Task<std::optional<Response>> refuse_later(Request& request) {
    const auto executor = co_await this_task::executor;
    boost::asio::steady_timer timer(executor, std::chrono::milliseconds{1});
    co_await timer.async_wait(boost::asio::as_tuple(use_task));
    const auto name = request.header("Authorization");
    if (!name) co_return Response{.status = 401, .body = "no key"};
    request.principal = *name;
    co_return std::nullopt;
  }
};

ListenOptions with_waiting_check() {
  ListenOptions options;
  options.access_checks = {std::make_shared<WaitingCheck>()};
  return options;
}

TEST(ListenerAccess, WaitsForAnAccessCheck) {
  HttpServer server(with_waiting_check());
  auto client = server.connect();
  client.send_request("GET", "/who");
  EXPECT_EQ(client.answer().status, 401);
  client.send_request("GET", "/who", "Authorization: anna\r\n");
  EXPECT_EQ(client.answer().body, "anna");
  client.send_request("POST", "/now", "Authorization: anna\r\n", "hello");
  EXPECT_EQ(client.answer().body, "hello");
}

TEST(ListenerAccess, AnswersPipelinedRequestsInOrderIfAnAccessCheckWaits) {
  HttpServer server(with_waiting_check());
  auto client = server.connect();
  const auto end = "Host: " + client.host() + "\r\n\r\n";
  client.send("GET /who HTTP/1.1\r\nAuthorization: anna\r\n" + end + "GET /who HTTP/1.1\r\n" + end +
              "GET /who HTTP/1.1\r\nAuthorization: bert\r\n" + end);
  EXPECT_EQ(client.answer().body, "anna");
  EXPECT_EQ(client.answer().status, 401);
  EXPECT_EQ(client.answer().body, "bert");
}

// The body never arrives.
TEST(ListenerAccess, RefusesBeforeReadingTheBodyIfAnAccessCheckWaits) {
  HttpServer server(with_waiting_check());
  for (const auto* length : {"Content-Length: 60000000\r\n", "Content-Length: 60000000\r\nExpect: 100-continue\r\n"}) {
    auto client = server.connect();
    client.send_request("POST", "/now", length);
    const auto answer = client.answer();
    EXPECT_EQ(answer.status, 401) << length;
    EXPECT_TRUE(answer.has("Connection: close")) << answer.head;
  }
  EXPECT_EQ(server.seen().served, 0);
}

TEST(ListenerAccess, ReadsTheBodyAfterAnAccessCheckThatWaits) {
  HttpServer server(with_waiting_check());
  auto client = server.connect();
  client.send_request("POST", "/now", "Authorization: anna\r\nContent-Length: 5\r\nExpect: 100-continue\r\n");
  client.until("HTTP/1.1 100 Continue\r\n\r\n");
  client.send("12345");
  EXPECT_EQ(client.answer().body, "12345");
  client.send_request("POST", "/now", "Authorization: anna\r\nContent-Length: 6\r\n");
  client.send("123");
  client.send("456");
  EXPECT_EQ(client.answer().body, "123456");
}

TEST(ListenerAccess, ForgetsAClientThatLeavesWhileAnAccessCheckWaits) {
  HttpServer server(with_waiting_check());
  for (int i = 0; i < 20; ++i) server.connect().send_request("GET", "/who", "Authorization: anna\r\n");
  EXPECT_EQ(server.send_request("GET", "/who", "Authorization: anna\r\n").body, "anna");
}

TEST(ListenerAccess, ChecksARequestForAnotherWorkerThere) {
  HttpServer server(with_waiting_check(), 2);
  for (int i = 0; i < 8; ++i) {
    auto client = server.connect();
    for (const auto* path : {"/home-now0", "/home-now1", "/home1"}) {
      client.send_request("POST", path, "", "body");
      EXPECT_EQ(client.answer().status, 401) << path;
      client.send_request("POST", path, "Authorization: anna\r\n", "body");
      EXPECT_THAT(client.answer().body, testing::StartsWith("worker " + std::string(1, std::string_view(path).back())));
    }
  }
}

}  // namespace
}  // namespace fairlead::http::listener_access_test
