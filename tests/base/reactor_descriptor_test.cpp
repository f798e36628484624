#include "base/reactor_descriptor.hpp"

#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <sys/socket.h>
#include <unistd.h>

#include "support/test_loop.hpp"

namespace fairlead {
namespace {

namespace asio = boost::asio;

Task<bool> readable(ReactorDescriptor& descriptor) {
  co_return co_await descriptor.readable();
}

struct ReactorDescriptorTest : testing::Test {
  ReactorDescriptorTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
    descriptor.emplace(loop.context().get_executor());
    descriptor->open(Descriptor(ends[0]));
    peer = Descriptor(ends[1]);
  }

  void write(std::string_view bytes) const {
    ASSERT_EQ(::write(peer.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  std::string read_all() {
    std::array<char, 64> buffer;
    const auto size = ::read(descriptor->get(), buffer.data(), buffer.size());
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  }
  std::shared_ptr<std::optional<bool>> when_readable() {
    auto result = std::make_shared<std::optional<bool>>();
    descriptor->when_readable([result](bool ready) { *result = ready; });
    loop.poll();
    return result;
  }

  test::TestLoop loop;
  Descriptor peer;
  std::optional<ReactorDescriptor> descriptor;
};

TEST_F(ReactorDescriptorTest, CompletesWhenReadable) {
  const auto result = when_readable();
  EXPECT_EQ(*result, std::nullopt);
  write("a");
  loop.poll();
  EXPECT_EQ(*result, true);
}

TEST_F(ReactorDescriptorTest, CompletesForUnreadData) {
  write("a");
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(*when_readable(), true);
}

TEST_F(ReactorDescriptorTest, WaitsForNewDataAfterADrain) {
  for (int round = 0; round < 3; ++round) {
    write("a");
    EXPECT_EQ(*when_readable(), true);
    EXPECT_EQ(read_all(), "a");
    const auto result = when_readable();
    EXPECT_EQ(*result, std::nullopt);
    write("b");
    loop.poll();
    EXPECT_EQ(*result, true);
    EXPECT_EQ(read_all(), "b");
  }
}

TEST_F(ReactorDescriptorTest, KeepsEventsThatArriveBetweenWaits) {
  write("a");
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(read_all(), "a");
  write("b");
  loop.poll();
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(read_all(), "b");
}

TEST_F(ReactorDescriptorTest, CompletesAllWaits) {
  write("a");
  EXPECT_EQ(*when_readable(), true);
  EXPECT_EQ(read_all(), "a");
  const auto first = when_readable();
  const auto second = when_readable();
  write("b");
  loop.poll();
  EXPECT_EQ(*first, true);
  EXPECT_EQ(*second, true);
}

TEST_F(ReactorDescriptorTest, CompletesWhenWritable) {
  const std::string much(100'000, 'x');
  while (::write(descriptor->get(), much.data(), much.size()) > 0) {
  }
  std::optional<bool> result;
  descriptor->when_writable([&](bool ready) { result = ready; });
  loop.poll();
  EXPECT_EQ(result, std::nullopt);
  std::array<char, 100'000> buffer;
  while (::read(peer.get(), buffer.data(), buffer.size()) > 0) {
  }
  loop.poll();
  EXPECT_EQ(result, true);
}

TEST_F(ReactorDescriptorTest, CloseEndsAllWaits) {
  const auto callback = when_readable();
  const auto coroutine = loop.start(readable(*descriptor));
  loop.poll();
  descriptor->close();
  loop.poll();
  EXPECT_EQ(*callback, false);
  EXPECT_FALSE(coroutine.get());
}

TEST_F(ReactorDescriptorTest, CancellationEndsOneCoroutineOnly) {
  asio::cancellation_signal cancel;
  std::optional<bool> cancelled;
  const auto other = loop.start(readable(*descriptor));
  async_start(loop.context(), readable(*descriptor),
              asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr, bool ready) { cancelled = ready; }));
  loop.poll();
  cancel.emit(asio::cancellation_type::terminal);
  loop.poll();
  EXPECT_EQ(cancelled, false);
  EXPECT_FALSE(other.done());
  write("a");
  loop.poll();
  EXPECT_TRUE(other.get());
}

TEST_F(ReactorDescriptorTest, CancellationAfterCloseIsHarmless) {
  asio::cancellation_signal cancel;
  std::optional<bool> ended;
  async_start(loop.context(), readable(*descriptor),
              asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr, bool ready) { ended = ready; }));
  loop.poll();
  descriptor.reset();
  cancel.emit(asio::cancellation_type::terminal);
  loop.poll();
  EXPECT_EQ(ended, false);
}

TEST_F(ReactorDescriptorTest, RegularFilesAreReadyAtOnce) {
  descriptor.emplace(loop.context().get_executor());
  descriptor->open(Descriptor(::open(__FILE__, O_RDONLY | O_CLOEXEC)));
  if (!descriptor->is_open()) GTEST_SKIP() << "the sources are not here";
  EXPECT_EQ(*when_readable(), true);
  EXPECT_TRUE(loop.run(readable(*descriptor)));
}

TEST_F(ReactorDescriptorTest, DoesNotCallBackWhenTheLoopIsDestroyed) {
  auto own = std::make_unique<test::TestLoop>();
  auto held = std::make_shared<ReactorDescriptor>(own->context().get_executor());
  held->open(std::move(peer));
  bool result = false;
  held->when_readable([held, &result](bool) { result = true; });
  std::weak_ptr<ReactorDescriptor> left = held;
  held.reset();
  own.reset();
  EXPECT_FALSE(result);
  EXPECT_TRUE(left.expired());
}

}  // namespace
}  // namespace fairlead
