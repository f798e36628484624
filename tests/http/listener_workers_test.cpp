#include <fairlead/http/listener.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "http/http_server.hpp"
#include "support/leak_check.hpp"
#include "support/test_loop.hpp"

namespace fairlead::http::listener_workers_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::HttpServer;
using test::RawClient;

TEST(ListenerWorkers, CreateOneHandlerEach) {
  HttpServer server({}, 3);
  server.send_request("GET", "/now");
  server.listener().stop({});
  EXPECT_EQ(server.seen().made, 3);
  EXPECT_EQ(server.seen().destroyed, 3);
}

TEST(ListenerWorkers, HandOffToThePreferredWorker) {
  HttpServer server({}, 2);
  std::vector<RawClient> clients;
  for (int i = 0; i < 8; ++i) clients.push_back(server.connect());
  for (auto& client : clients) {
    for (const auto* path : {"/home-now0", "/home-now1", "/home1", "/home0", "/home-now1", "/home9"}) {
      client.send_request("POST", path, "", "body");
      const auto answer = client.answer();
      EXPECT_EQ(answer.status, 200) << path;
      if (std::string_view(path) == "/home9") continue;
      EXPECT_THAT(answer.body, testing::StartsWith("worker " + std::string(1, std::string_view(path).back()))) << path;
    }
  }
}

TEST(ListenerWorkers, KeepPipelinedOrderAcrossHandoffs) {
  HttpServer server({}, 2);
  auto client = server.connect();
  std::string requests;
  constexpr int count = 300;
  for (int i = 0; i < count; ++i) {
    const auto body = std::to_string(i);
    requests += "POST /home" + std::to_string(i % 2) + " HTTP/1.1\r\nHost: " + client.host() +
                "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  client.send(requests);
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(client.answer().body, "worker " + std::to_string(i % 2) + " " + std::to_string(i));
  }
}

TEST(ListenerWorkers, TrackHandedOffConnections) {
  const auto before = test::open_descriptors();
  {
    HttpServer server({}, 2);
    std::vector<RawClient> clients;
    for (int i = 0; i < 50; ++i) {
      clients.push_back(server.connect());
      clients.back().send_request("GET", "/home" + std::to_string(i % 2));
      if (i % 3 == 0) clients.back().disconnect();
    }
  }
  EXPECT_EQ(test::open_descriptors(), before);
}

TEST(ListenerStop, WaitsForActiveRequests) {
  HttpServer server;
  auto idle = server.connect();
  idle.send_request("GET", "/now");
  idle.answer();
  auto waiting = server.connect();
  waiting.send_request("POST", "/now", "Content-Length: 5\r\n", "");
  auto stream = server.connect();
  stream.send_request("GET", "/events");
  stream.until(": hello");
  std::jthread stopping([&] { server.listener().stop(seconds{30}); });
  EXPECT_TRUE(idle.closed());
  EXPECT_THAT(stream.until_closed(), testing::EndsWith("0\r\n\r\n"));
  waiting.send("hello");
  const auto answer = waiting.answer();
  EXPECT_EQ(answer.body, "hello");
  EXPECT_TRUE(answer.has("Connection: close"));
}

TEST(ListenerStop, ClosesActiveConnectionsAfterTheDrainTimeout) {
  HttpServer server;
  auto client = server.connect();
  client.send_request("POST", "/wait", "", "x");
  while (server.seen().served == 0) std::this_thread::yield();
  server.listener().stop(milliseconds{20});
  EXPECT_EQ(client.until_closed(), "");
  EXPECT_EQ(server.seen().destroyed, 1);
}

TEST(ListenerStop, StopsAccepting) {
  HttpServer server;
  const auto port = server.listener().port();
  server.listener().stop({});
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  EXPECT_NE(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
}

TEST(ListenerStop, ReturnsIfTheWorkersHaveStopped) {
  HttpServer server({}, 2);
  auto client = server.connect();
  client.send_request("GET", "/events");
  client.until(": hello");
  server.workers().stop();
  server.listener().stop(seconds{30});
}

TEST(ListenerStop, IsIdempotent) {
  HttpServer server;
  server.listener().stop({});
  server.listener().stop({});
}

Task<bool> close(Listener& listener) {
  co_await listener.close(Duration::zero());
  co_return true;
}

TEST(ListenerLoop, RunsOnALoopOfTheCaller) {
  test::HandlerLog seen;
  test::TestLoop loop;
  Listener listener(loop.loop(), {}, [&seen](const EventLoop&, std::size_t worker) {
    return std::make_unique<test::SampleHandler>(seen, worker);
  });
  ASSERT_TRUE(listener.open());
  RawClient client(listener.port());
  client.send_request("GET", "/events");
  loop.run_until([&] { return seen.served > 0; });
  EXPECT_TRUE(loop.run(close(listener)));
  EXPECT_EQ(seen.destroyed, 1);
  EXPECT_THAT(client.until_closed(), testing::HasSubstr(": hello"));
}

TEST(ListenerLoop, CanBeDestroyedWithoutClose) {
  const auto before = test::open_descriptors();
  test::HandlerLog seen;
  {
    test::TestLoop loop;
    RawClient client = [&] {
      Listener listener(loop.loop(), {}, [&seen](const EventLoop&, std::size_t worker) {
        return std::make_unique<test::SampleHandler>(seen, worker);
      });
      EXPECT_TRUE(listener.open());
      RawClient connected(listener.port());
      connected.send_request("GET", "/events");
      loop.run_until([&] { return seen.served > 0; });
      return connected;
    }();
    loop.poll();
    EXPECT_THAT(client.until_closed(), testing::HasSubstr(": hello"));
  }
  EXPECT_EQ(seen.destroyed, 1);
  EXPECT_EQ(test::open_descriptors(), before);
}

}  // namespace
}  // namespace fairlead::http::listener_workers_test
