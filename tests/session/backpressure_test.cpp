#include <fairlead/base/asio_task.hpp>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// Peers that send requests and notifications but do not read.
namespace fairlead::session::backpressure_test {
namespace {

constexpr std::size_t many = 200;

SessionOptions limits(std::size_t messages, std::size_t bytes) {
  SessionOptions options;
  options.max_queued = messages;
  options.max_queued_bytes = bytes;
  return options;
}

constexpr std::size_t plenty = std::size_t{1} << 30;

std::string ping(std::size_t id) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})";
}

std::string call(std::size_t id, std::size_t size) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"tools/call","params":{"name":")" +
         std::string(size, 'x') + R"("}})";
}

TEST(Backpressure, Finding_S7_StopsReadingFromAPeerThatDoesNotRead) {
  SessionFixture fixture(limits(10, plenty));
  fixture.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) fixture.peer_sends(ping(i));
  // Ten are queued, and one or a few are being written.
  EXPECT_GE(fixture.transport.unread(), many - 20);
  EXPECT_EQ(fixture.sent_to_peer(), "");
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_EQ(fixture.transport.unread(), 0u);
  EXPECT_EQ(fixture.transport.lines.size(), many);
}

TEST(Backpressure, Finding_S3_AFloodOfMessagesDoesNotDelayOtherTasks) {
  for (const auto* text : {R"({"jsonrpc":"2.0","method":"notifications/message"})",
                           R"({"jsonrpc":"2.0","id":9,"result":{}})", R"({"jsonrpc":"2.0","id":1,"method":"ping"})"}) {
    SessionFixture fixture;
    for (std::size_t i = 0; i < many; ++i) {
      fixture.transport.deliver(transport::Received(std::get<jsonrpc::Message>(jsonrpc::read(text).value())));
    }
    std::size_t unread = 0;
    fixture.run_on_loop([&] { unread = fixture.transport.unread(); });
    EXPECT_GE(unread, many - 16) << text;
    EXPECT_EQ(fixture.transport.unread(), 0U) << text;
  }
}

TEST(Backpressure, Finding_S7_StopsReadingInvalidMessages) {
  SessionFixture fixture(limits(10, plenty));
  fixture.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) fixture.peer_sends("{");
  EXPECT_GE(fixture.transport.unread(), many - 20);
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_EQ(fixture.transport.lines.size(), many);
}

TEST(Backpressure, Finding_S7_LimitsBytes) {
  SessionFixture fixture(limits(1024, 10'000));
  fixture.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) fixture.peer_sends(call(i, 1000));
  EXPECT_GE(fixture.transport.unread(), many - 20);
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_EQ(fixture.transport.lines.size(), many);
}

TEST(Backpressure, Finding_S7_CountsDelayedResponses) {
  SessionFixture fixture(limits(10, plenty));
  fixture.service.on_call = [&](Call& incoming) -> Task<Result<Reply>> { return TestService::echo(incoming); };
  fixture.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) fixture.peer_sends(call(i, 10));
  EXPECT_GE(fixture.transport.unread(), many - 20);
  EXPECT_LE(fixture.service.calls.size(), 20u);
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_EQ(fixture.transport.lines.size(), many);
}

TEST(Backpressure, AcceptsOneMessageLargerThanTheLimit) {
  SessionFixture fixture(limits(1024, 1000));
  fixture.peer_sends(call(1, 100'000));
  EXPECT_GT(fixture.sent_to_peer().size(), 100'000u);
}

// A sequential server writes a response before it reads on, so its output must be read meanwhile.
TEST(Backpressure, OutgoingRequestsDoNotBlockReading) {
  auto options = limits(2, plenty);
  options.side = Side::client;
  SessionFixture fixture(options);
  fixture.transport.stalled = true;
  std::vector<std::shared_ptr<std::optional<Result<Reply>>>> results;
  for (int i = 0; i < 10; ++i) results.push_back(fixture.call_peer({.method = "tools/list"}));
  fixture.peer_sends(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_TRUE(*results.front());
  EXPECT_EQ(fixture.transport.unread(), 0u);
}

TEST(Backpressure, CloseDoesNotWaitForThePeer) {
  SessionFixture fixture(limits(2, plenty));
  fixture.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) fixture.peer_sends(ping(i));
  fixture.close();
  fixture.transport.broken = Error{.kind = ErrorKind::closed, .message = "gone"};
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_TRUE(fixture.ended);
}

TEST(Backpressure, GracefulShutdownEndsWhileThePeerDoesNotRead) {
  SessionFixture fixture(limits(2, plenty));
  fixture.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) fixture.peer_sends(ping(i));
  fixture.run_on_loop([&] { fixture.session.shutdown_gracefully(); });
  fixture.transport.release();
  fixture.run_ready();
  ASSERT_TRUE(fixture.ended);
  EXPECT_TRUE(*fixture.ended);
}

TEST(Backpressure, Finding_S10_CallTimesOutIfThePeerDoesNotRead) {
  auto options = limits(1, plenty);
  options.side = Side::client;
  SessionFixture fixture(options);
  fixture.transport.stalled = true;
  std::vector<std::shared_ptr<std::optional<Result<Reply>>>> results;
  for (int i = 0; i < 5; ++i) results.push_back(fixture.call_peer({.method = "tools/list"}));
  fixture.advance(std::chrono::minutes{1});
  for (const auto& result : results) {
    ASSERT_TRUE(*result);
    EXPECT_EQ((*result)->error().kind, ErrorKind::timeout);
  }
}

std::string notice(std::size_t size) {
  return R"({"jsonrpc":"2.0","method":"notifications/x","params":{"text":")" + std::string(size, 'x') + R"("}})";
}

std::size_t dropped(SessionFixture& fixture) {
  std::size_t count = 0;
  for (const auto& entry : fixture.log.lines()) count += entry.message.starts_with("dropped ") ? 1U : 0U;
  return count;
}

TEST(Backpressure, Finding_S10_DropsNotificationsToASlowService) {
  SessionFixture fixture(limits(1024, 10'000));
  fixture.service.on_notify = [](Notification&) -> Task<void> {
    const auto never = std::make_shared<Promise<bool>>();
    co_await never->wait();
  };
  for (std::size_t i = 0; i < many; ++i) fixture.peer_sends(notice(1000));
  EXPECT_LE(fixture.service.notices.size(), 11u);
  EXPECT_EQ(dropped(fixture), 1u);
  fixture.peer_sends(ping(1));
  EXPECT_NE(fixture.sent_to_peer().find(R"("id":1)"), std::string::npos);
}

Task<void> send_notification(Service& peer, std::size_t size, std::size_t& done) {
  Notification notification{.method = "notifications/x"};
  notification.params = json::Payload::trusted("\"" + std::string(size, 'x') + "\"");
  co_await peer.notify(notification);
  ++done;
}

TEST(Backpressure, Finding_S10_DropsNotificationsToASlowPeer) {
  auto options = limits(1024, 10'000);
  options.side = Side::client;
  SessionFixture fixture(options);
  fixture.transport.stalled = true;
  std::size_t done = 0;
  for (std::size_t i = 0; i < many; ++i) {
    async_start(fixture.io, send_notification(fixture.session.peer(), 1000, done), [](const std::exception_ptr&) {});
    fixture.run_ready();
  }
  // About ten are queued, and about ten senders wait.
  EXPECT_GE(done, many - 12);
  EXPECT_EQ(dropped(fixture), 1u);
  fixture.transport.release();
  fixture.run_ready();
  EXPECT_EQ(done, many);
  EXPECT_LE(fixture.transport.lines.size(), 24u);
  EXPECT_GE(fixture.transport.lines.size(), 18u);
}

}  // namespace
}  // namespace fairlead::session::backpressure_test
