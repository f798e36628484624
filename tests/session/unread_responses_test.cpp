#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/memory.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Two sessions connected by a byte stream, on one loop and a clock driven by the test.
namespace fairlead::session::unread_responses_test {
namespace {

constexpr std::size_t many = 100;

struct End {
  /// Responses to calls, except pings, wait for `release`.
  End(const EventLoop& loop, std::unique_ptr<transport::ByteStream> stream, SessionOptions options,
      transport::FramedOptions framing = {})
      : transport(loop, std::move(stream), std::move(framing)), session(loop, transport, service, std::move(options)) {
    service.on_call = [this](Call& call) -> Task<Result<Reply>> {
      held.push_back(std::make_shared<Promise<bool>>());
      const auto turn = held.back();
      const auto is_set = co_await turn->wait();
      if (is_set) co_await next_turn;
      co_return co_await TestService::echo(call);
    };
  }

  void release() const {
    for (const auto& call : held) call->set(true);
  }

  transport::FramedTransport transport;
  TestService service;
  Session session;
  std::vector<std::shared_ptr<Promise<bool>>> held;
  std::optional<Result<void>> ended;
  std::size_t answered = 0;
  std::vector<Error> failed;
};

struct Pair {
  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  EventLoop loop{io.get_executor(), timers, log};
  std::unique_ptr<End> client, server;  // Destroyed before the loop.

  explicit Pair(std::size_t capacity, transport::FramedOptions framing = {}) {
    auto [near, far] = transport::memory_byte_pair(loop, {.capacity = capacity});
    SessionOptions options;
    options.max_queued = 10;
    server = std::make_unique<End>(loop, std::move(far), options);
    options.side = Side::client;
    client = std::make_unique<End>(loop, std::move(near), options, std::move(framing));
    for (auto* end : {client.get(), server.get()}) {
      async_start(io, end->session.run(),
                  [end](const std::exception_ptr&, Result<void> result) { end->ended = std::move(result); });
    }
  }
  ~Pair() {
    run_on_loop([this] {
      client->session.close();
      server->session.close();
    });
    advance(std::chrono::hours{1});
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  void send_request(End& from, std::string method, std::size_t times = 1) {
    for (std::size_t i = 0; i < times; ++i) {
      async_start(io, call_and_count(from, method), [](const std::exception_ptr&) {});
    }
    run_ready();
  }
  void run_ready() {
    io.restart();
    io.poll();
  }
  void run_on_loop(std::function<void()> action) {
    boost::asio::post(io, std::move(action));
    run_ready();
  }
  void advance(Duration time) {
    clock.advance(time);
    run_on_loop([this] { timers.advance(); });
  }

  static Task<void> call_and_count(End& from, std::string method) {
    Call call{.method = std::move(method)};
    // Echoed: larger than one write, so that responses are queued.
    if (call.method != "ping") call.params = json::Payload::trusted(R"({"x":")" + std::string(4'000, 'x') + R"("})");
    call.timeouts = {.idle = std::chrono::hours{10}, .total = std::chrono::hours{10}};
    auto reply = co_await from.session.peer().call(call);
    reply ? void(++from.answered) : from.failed.push_back(reply.error());
  }
};

TEST(UnreadResponses, Finding_S7_ClosesTwoPeersThatDoNotReadEachOther) {
  Pair pair(200);
  pair.send_request(*pair.client, "tools/list", many);
  pair.send_request(*pair.server, "roots/list", many);
  ASSERT_EQ(pair.client->held.size(), many);
  ASSERT_EQ(pair.server->held.size(), many);
  // Each queues many responses at once and stops reading until they are read.
  pair.run_on_loop([&] {
    pair.client->release();
    pair.server->release();
  });
  ASSERT_LT(pair.client->answered + pair.server->answered, 2 * many);
  pair.advance(SessionOptions().write_timeout - std::chrono::seconds{1});
  EXPECT_FALSE(pair.client->ended || pair.server->ended);
  pair.advance(std::chrono::seconds{2});
  pair.advance(std::chrono::seconds{20});
  EXPECT_TRUE(pair.client->ended && pair.server->ended);
  for (const auto* end : {pair.client.get(), pair.server.get()}) {
    EXPECT_EQ(end->answered + end->failed.size(), many);
    for (const auto& error : end->failed) EXPECT_EQ(error.kind, ErrorKind::closed);
  }
  EXPECT_TRUE(pair.log.contains("has left its responses unread for 5m: the session is closed"));
}

TEST(UnreadResponses, Finding_S7_KeepsPeersThatRead) {
  Pair pair(1 << 20);
  for (int i = 0; i < 20; ++i) {
    pair.send_request(*pair.client, "ping", 5);
    pair.send_request(*pair.server, "ping", 5);
    pair.advance(std::chrono::minutes{3});
  }
  EXPECT_FALSE(pair.client->ended || pair.server->ended);
  EXPECT_EQ(pair.client->answered, 100u);
  EXPECT_EQ(pair.server->answered, 100u);
}

TEST(UnreadResponses, Finding_S7_KeepsASlowReader) {
  SessionOptions options;
  options.max_queued = 10;
  SessionFixture fixture(options);
  fixture.transport.stalled = true;
  for (std::size_t i = 0; i < 5 * many; ++i) {
    fixture.peer_sends(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"ping"})");
  }
  for (int i = 0; i < 5; ++i) {
    fixture.advance(options.write_timeout - std::chrono::seconds{1});
    // Messages are written together: it reads more than one write.
    for (int message = 0; message < 50; ++message) {
      fixture.transport.release();
      fixture.transport.stalled = true;
      fixture.run_ready();
    }
  }
  EXPECT_FALSE(fixture.log.contains("unread"));
  EXPECT_GT(fixture.transport.unread(), 0u);
  fixture.advance(options.write_timeout * 2);
  fixture.advance(options.write_timeout * 2);
  EXPECT_TRUE(fixture.log.contains("has left its responses unread"));
}

TEST(UnreadResponses, Finding_S7_ResponseOverTheLimitFailsItsCall) {
  Pair pair(1 << 20, {.max_message = 34});
  pair.send_request(*pair.client, "ping");
  ASSERT_EQ(pair.client->failed.size(), 1u);
  EXPECT_THAT(pair.client->failed.front().message, testing::HasSubstr("the response is longer than 34 bytes"));
  EXPECT_FALSE(pair.client->ended);
}

}  // namespace
}  // namespace fairlead::session::unread_responses_test
