#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/http/listener.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "http/sample_handler.hpp"
#include "support/raw_client.hpp"

namespace fairlead::http::listener_time_test {
namespace {

using std::chrono::seconds;
using test::RawClient;

/// A listener on its own thread with a manual clock.
class TimedServer {
 public:
  explicit TimedServer(ListenOptions options = {})
      : listener_(std::in_place, EventLoop{context_.get_executor(), timers_, log_}, std::move(options),
                  [this](const EventLoop&, std::size_t worker) {
                    return std::make_unique<test::SampleHandler>(seen_, worker);
                  }) {
    EXPECT_TRUE(listener_->open());
  }
  TimedServer(const TimedServer&) = delete;
  TimedServer& operator=(const TimedServer&) = delete;
  ~TimedServer() {
    listener_.reset();
    stay_.reset();
    thread_.join();
  }

  RawClient connect() { return RawClient(listener_->port()); }

  /// Waits until the server has handled all input: connections are served in order, so a response on a later one proves
  /// it.
  void settle() {
    for (int i = 0; i < 3; ++i) {
      auto other = connect();
      other.send_request("GET", "/now", "Connection: close\r\n");
      EXPECT_EQ(other.answer().status, 200);
    }
  }
  void pass(Duration time) {
    settle();
    std::atomic<bool> done = false;
    boost::asio::post(context_, [&] {
      clock_.advance(time);
      timers_.advance();
      done = true;
      done.notify_one();
    });
    done.wait(false);
  }
  test::HandlerLog& seen() { return seen_; }

 private:
  test::HandlerLog seen_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> stay_{context_.get_executor()};
  ManualClock clock_;
  TimerWheel timers_{clock_};
  CapturingSink log_;
  std::optional<Listener> listener_;
  std::jthread thread_{[this] { context_.run(); }};
};

TEST(ListenerTime, ClosesIdleConnections) {
  TimedServer server;
  auto client = server.connect();
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().status, 200);
  server.pass(seconds{59});
  client.send_request("GET", "/now");
  EXPECT_EQ(client.answer().status, 200);
  server.pass(seconds{62});
  EXPECT_TRUE(client.closed());
}

TEST(ListenerTime, ClosesSilentConnections) {
  TimedServer server;
  auto client = server.connect();
  server.pass(seconds{62});
  EXPECT_TRUE(client.closed());
}

TEST(ListenerTime, HeadTimeoutIgnoresProgress) {
  TimedServer server;
  auto client = server.connect();
  client.send("GET / HTTP/1.1\r\n");
  for (int i = 0; i < 4; ++i) {
    server.pass(seconds{3});
    client.send("X-Slow: loris\r\n");
  }
  const auto answer = client.answer();
  EXPECT_EQ(answer.status, 408);
  EXPECT_TRUE(client.closed());
}

TEST(ListenerTime, BodyTimeoutRestartsWithProgress) {
  TimedServer server;
  auto client = server.connect();
  client.send_request("POST", "/now", "Content-Length: 4\r\n");
  for (const auto* byte : {"a", "b", "c", "d"}) {
    server.pass(seconds{25});
    client.send(byte);
  }
  EXPECT_EQ(client.answer().body, "abcd");
}

TEST(ListenerTime, TimesOutAStalledBody) {
  TimedServer server;
  auto client = server.connect();
  client.send_request("POST", "/now", "Content-Length: 4\r\n");
  client.send("ab");
  server.pass(seconds{32});
  EXPECT_EQ(client.answer().status, 408);
  EXPECT_TRUE(client.closed());
}

TEST(ListenerTime, HandlersHaveNoTimeout) {
  TimedServer server;
  auto client = server.connect();
  client.send_request("GET", "/events");
  client.until(": hello");
  server.pass(std::chrono::hours{1});
  server.settle();
  EXPECT_EQ(server.seen().gone, 0);
}

TEST(ListenerTime, ClosesClientsThatDoNotRead) {
  for (const auto* path : {"/flood", "/large"}) {
    TimedServer server;
    auto client = server.connect();
    // More than all buffers hold.
    for (int i = 0; i < 10; ++i) client.send_request("GET", path);
    // While the kernel still transfers bytes, the client counts as reading.
    for (int i = 0; i < 8; ++i) server.pass(seconds{32});
    const auto received = client.until_closed();
    EXPECT_LT(received.size(), 28'000'000u) << path;
  }
}

TEST(ListenerTime, LingersForALimitedTime) {
  TimedServer server;
  auto client = server.connect();
  client.send("nonsense\r\n");
  EXPECT_EQ(client.answer().status, 400);
  server.pass(seconds{4});
  client.send("more");
  client.send("more");
  EXPECT_TRUE(client.closed());
}

}  // namespace
}  // namespace fairlead::http::listener_time_test
