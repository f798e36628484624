#include "base/watched_descriptor.hpp"

#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <sys/socket.h>
#include <unistd.h>

#include "support/test_loop.hpp"

namespace fairlead {
namespace {

namespace asio = boost::asio;

struct WatchedDescriptorTest : testing::Test {
  WatchedDescriptorTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
    watched.emplace(loop.context().get_executor());
    watched->open(Descriptor(ends[0]));
    peer = Descriptor(ends[1]);
  }

  void say(std::string_view bytes) const {
    ASSERT_EQ(::write(peer.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  std::string read_all() {
    std::array<char, 64> buffer;
    const auto size = ::read(watched->get(), buffer.data(), buffer.size());
    watched->note_drained(true);
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  }
  std::shared_ptr<std::optional<bool>> when_readable() {
    auto told = std::make_shared<std::optional<bool>>();
    watched->when_readable([told](bool ready) { *told = ready; });
    loop.poll();
    return told;
  }

  test::TestLoop loop;
  Descriptor peer;
  std::optional<WatchedDescriptor> watched;
};

TEST_F(WatchedDescriptorTest, TellsOnceThereIsSomething) {
  const auto told = when_readable();
  EXPECT_EQ(*told, std::nullopt);
  say("a");
  loop.poll();
  EXPECT_EQ(*told, true);
}

TEST_F(WatchedDescriptorTest, TellsOfWhatWasLeftUnread) {
  say("a");
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(*when_readable(), true);
}

TEST_F(WatchedDescriptorTest, WaitsForWhatComesWhenAllWasRead) {
  for (int round = 0; round < 3; ++round) {
    say("a");
    EXPECT_EQ(*when_readable(), true);
    EXPECT_EQ(read_all(), "a");
    const auto told = when_readable();
    EXPECT_EQ(*told, std::nullopt);
    say("b");
    loop.poll();
    EXPECT_EQ(*told, true);
    EXPECT_EQ(read_all(), "b");
  }
}

TEST_F(WatchedDescriptorTest, LosesNothingThatComesWhileNobodyWaits) {
  say("a");
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(read_all(), "a");
  say("b");
  loop.poll();
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(read_all(), "b");
}

TEST_F(WatchedDescriptorTest, TellsAllWhoWait) {
  say("a");
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(read_all(), "a");
  const auto first = when_readable();
  const auto second = when_readable();
  say("b");
  loop.poll();
  EXPECT_EQ(*first, true);
  EXPECT_EQ(*second, true);
}

TEST_F(WatchedDescriptorTest, TellsWhenThereIsRoomAgain) {
  const std::string much(100'000, 'x');
  while (::write(watched->get(), much.data(), much.size()) > 0) {
  }
  std::optional<bool> told;
  watched->when_writable([&](bool ready) { told = ready; });
  loop.poll();
  EXPECT_EQ(told, std::nullopt);
  std::array<char, 100'000> buffer;
  while (::read(peer.get(), buffer.data(), buffer.size()) > 0) {
  }
  loop.poll();
  EXPECT_EQ(told, true);
}

TEST_F(WatchedDescriptorTest, ToldOfItsEndThoseWhoWaitGoOn) {
  const auto callback = when_readable();
  const auto coroutine = loop.start(watched->readable());
  loop.poll();
  watched->close();
  loop.poll();
  EXPECT_EQ(*callback, false);
  EXPECT_FALSE(coroutine.get());
}

TEST_F(WatchedDescriptorTest, ACancelledCoroutineGoesOnAlone) {
  asio::cancellation_signal cancel;
  std::optional<bool> cancelled;
  const auto other = loop.start(watched->readable());
  asio::co_spawn(
      loop.context(), watched->readable(),
      asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr, bool ready) { cancelled = ready; }));
  loop.poll();
  cancel.emit(asio::cancellation_type::terminal);
  loop.poll();
  EXPECT_EQ(cancelled, false);
  EXPECT_FALSE(other.done());
  say("a");
  loop.poll();
  EXPECT_TRUE(other.get());
}

TEST_F(WatchedDescriptorTest, ACancellationBehindTheEndFindsNobody) {
  asio::cancellation_signal cancel;
  std::optional<bool> ended;
  asio::co_spawn(loop.context(), watched->readable(),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr, bool ready) { ended = ready; }));
  loop.poll();
  watched.reset();
  cancel.emit(asio::cancellation_type::terminal);
  loop.poll();
  EXPECT_EQ(ended, false);
}

TEST_F(WatchedDescriptorTest, AFileMakesNobodyWait) {
  watched.emplace(loop.context().get_executor());
  watched->open(Descriptor(::open(__FILE__, O_RDONLY | O_CLOEXEC)));
  if (!watched->is_open()) GTEST_SKIP() << "the sources are not here";
  EXPECT_EQ(*when_readable(), true);
  EXPECT_TRUE(loop.run(watched->readable()));
}

TEST_F(WatchedDescriptorTest, WhoWaitsWhenTheLoopEndsIsNotTold) {
  auto own = std::make_unique<test::TestLoop>();
  auto held = std::make_shared<WatchedDescriptor>(own->context().get_executor());
  held->open(std::move(peer));
  bool told = false;
  held->when_readable([held, &told](bool) { told = true; });
  std::weak_ptr<WatchedDescriptor> left = held;
  held.reset();
  own.reset();
  EXPECT_FALSE(told);
  EXPECT_TRUE(left.expired());
}

}  // namespace
}  // namespace fairlead
