#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>

#include "session/conversation.hpp"

/// Peers that ask and tell, and do not read.
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

TEST(Backpressure, Finding_S7_APeerThatDoesNotReadItsAnswersIsNotReadEither) {
  Talk talk(limits(10, plenty));
  talk.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) talk.say(ping(i));
  // Ten wait, and one or a few are being written.
  EXPECT_GE(talk.transport.unread(), many - 20);
  EXPECT_EQ(talk.heard(), "");
  talk.transport.release();
  talk.settle();
  EXPECT_EQ(talk.transport.unread(), 0u);
  EXPECT_EQ(talk.transport.lines.size(), many);
}

TEST(Backpressure, Finding_S7_SoIsOneThatSendsWhatIsNoMessage) {
  Talk talk(limits(10, plenty));
  talk.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) talk.say("{");
  EXPECT_GE(talk.transport.unread(), many - 20);
  talk.transport.release();
  talk.settle();
  EXPECT_EQ(talk.transport.lines.size(), many);
}

TEST(Backpressure, Finding_S7_TheLimitCountsBytes) {
  Talk talk(limits(1024, 10'000));
  talk.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) talk.say(call(i, 1000));
  EXPECT_GE(talk.transport.unread(), many - 20);
  talk.transport.release();
  talk.settle();
  EXPECT_EQ(talk.transport.lines.size(), many);
}

TEST(Backpressure, Finding_S7_AnswersThatTakeTimeCountToo) {
  Talk talk(limits(10, plenty));
  talk.service.on_call = [&](Call& asked) -> Task<Result<Reply>> { return TestService::echo(asked); };
  talk.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) talk.say(call(i, 10));
  EXPECT_GE(talk.transport.unread(), many - 20);
  EXPECT_LE(talk.service.calls.size(), 20u);
  talk.transport.release();
  talk.settle();
  EXPECT_EQ(talk.transport.lines.size(), many);
}

TEST(Backpressure, OneMessageMayBeLargerThanTheLimit) {
  Talk talk(limits(1024, 1000));
  talk.say(call(1, 100'000));
  EXPECT_GT(talk.heard().size(), 100'000u);
}

// A server that works on one thing at a time writes an answer before it reads on: it must be read meanwhile.
TEST(Backpressure, WhatWeAskDoesNotKeepUsFromReading) {
  auto options = limits(2, plenty);
  options.side = Side::client;
  Talk talk(options);
  talk.transport.stalled = true;
  std::vector<std::shared_ptr<std::optional<Result<Reply>>>> results;
  for (int i = 0; i < 10; ++i) results.push_back(talk.ask({.method = "tools/list"}));
  talk.say(R"({"jsonrpc":"2.0","id":1,"result":{}})");
  EXPECT_TRUE(*results.front());
  EXPECT_EQ(talk.transport.unread(), 0u);
}

TEST(Backpressure, ASessionThatIsClosedWaitsForNobody) {
  Talk talk(limits(2, plenty));
  talk.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) talk.say(ping(i));
  talk.close();
  talk.transport.broken = Error{.kind = ErrorKind::closed, .message = "gone"};
  talk.transport.release();
  talk.settle();
  EXPECT_TRUE(talk.ended);
}

TEST(Backpressure, ASessionThatEndsInGoodOrderWhileItsPeerDoesNotReadEnds) {
  Talk talk(limits(2, plenty));
  talk.transport.stalled = true;
  for (std::size_t i = 0; i < many; ++i) talk.say(ping(i));
  talk.on_the_loop([&] { talk.session.finish(); });
  talk.transport.release();
  talk.settle();
  ASSERT_TRUE(talk.ended);
  EXPECT_TRUE(*talk.ended);
}

TEST(Backpressure, Finding_S10_ACallForAPeerThatDoesNotReadEndsInItsTime) {
  auto options = limits(1, plenty);
  options.side = Side::client;
  Talk talk(options);
  talk.transport.stalled = true;
  std::vector<std::shared_ptr<std::optional<Result<Reply>>>> results;
  for (int i = 0; i < 5; ++i) results.push_back(talk.ask({.method = "tools/list"}));
  talk.pass(std::chrono::minutes{1});
  for (const auto& result : results) {
    ASSERT_TRUE(*result);
    EXPECT_EQ((*result)->error().kind, ErrorKind::timeout);
  }
}

std::string notice(std::size_t size) {
  return R"({"jsonrpc":"2.0","method":"notifications/x","params":{"text":")" + std::string(size, 'x') + R"("}})";
}

std::size_t dropped(Talk& talk) {
  std::size_t count = 0;
  for (const auto& entry : talk.log.lines()) count += entry.message.find("is dropped") != std::string::npos ? 1U : 0U;
  return count;
}

TEST(Backpressure, Finding_S10_NotificationsThatNobodyTakesAreDropped) {
  Talk talk(limits(1024, 10'000));
  talk.service.on_notify = [](Notice&) -> Task<void> {
    const auto never = std::make_shared<Promise<bool>>();
    co_await never->wait(false);
  };
  for (std::size_t i = 0; i < many; ++i) talk.say(notice(1000));
  EXPECT_LE(talk.service.notices.size(), 11u);
  EXPECT_EQ(dropped(talk), 1u);
  talk.say(ping(1));
  EXPECT_NE(talk.heard().find(R"("id":1)"), std::string::npos);
}

Task<void> tell(Service& peer, std::size_t size, std::size_t& done) {
  Notice told{.method = "notifications/x"};
  told.params = json::Payload::trusted("\"" + std::string(size, 'x') + "\"");
  co_await peer.notify(told);
  ++done;
}

TEST(Backpressure, Finding_S10_NotificationsForAPeerThatDoesNotReadAreDropped) {
  auto options = limits(1024, 10'000);
  options.side = Side::client;
  Talk talk(options);
  talk.transport.stalled = true;
  std::size_t done = 0;
  for (std::size_t i = 0; i < many; ++i) {
    boost::asio::co_spawn(talk.io, tell(talk.session.peer(), 1000, done), [](const std::exception_ptr&) {});
    talk.settle();
  }
  // About ten are queued, and about ten wait.
  EXPECT_GE(done, many - 12);
  EXPECT_EQ(dropped(talk), 1u);
  talk.transport.release();
  talk.settle();
  EXPECT_EQ(done, many);
  EXPECT_LE(talk.transport.lines.size(), 24u);
  EXPECT_GE(talk.transport.lines.size(), 18u);
}

}  // namespace
}  // namespace fairlead::session::backpressure_test
