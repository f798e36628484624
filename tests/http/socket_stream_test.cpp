#include "http/socket_stream.hpp"

#include <arpa/inet.h>
#include <array>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>

#include "support/test_loop.hpp"

namespace fairlead::http {
namespace {

struct SocketStreamTest : testing::Test {
  SocketStreamTest() {
    const Descriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* place = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(listening.get(), place, size), 0);
    EXPECT_EQ(::listen(listening.get(), 1), 0);
    EXPECT_EQ(::getsockname(listening.get(), place, &size), 0);
    peer = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(peer.get(), place, size), 0);
    RawSocket wire{.socket = Descriptor(::accept4(listening.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC))};
    number = wire.socket.get();
    stream.emplace(loop.context(), std::move(wire));
  }

  /// Waits until the kernel has received the end of the peer.
  void await_end() const {
    pollfd end{.fd = number, .events = POLLRDHUP, .revents = 0};
    ASSERT_EQ(::poll(&end, 1, 20'000), 1);
  }

  void peer_sends(std::string_view bytes) const {
    ASSERT_EQ(::send(peer.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  /// Available data; "wait" if there is none yet, "end" at the end.
  std::string read(std::size_t most = 64) {
    std::string buffer(most, ' ');
    const auto size = stream->read_now(buffer);
    if (!size) return size.error().message;
    if (!*size) return "wait";
    return **size == 0 ? "end" : buffer.substr(0, **size);
  }

  test::TestLoop loop;
  Descriptor peer;
  int number = -1;
  std::optional<SocketStream> stream;
};

TEST_F(SocketStreamTest, ReportsIsDrained) {
  EXPECT_EQ(read(), "wait");
  EXPECT_TRUE(stream->is_drained());
  peer_sends("abcdef");
  ASSERT_TRUE(loop.run(stream->readable()));
  EXPECT_EQ(read(4), "abcd");
  EXPECT_FALSE(stream->is_drained());
  EXPECT_EQ(read(4), "ef");
  EXPECT_TRUE(stream->is_drained());
}

TEST_F(SocketStreamTest, DetectsAnEndThatArrivedWithTheLastBytes) {
  const auto bytes = loop.start(stream->readable());
  loop.poll();
  peer_sends("abc");
  ::shutdown(peer.get(), SHUT_WR);
  await_end();
  ASSERT_TRUE(loop.finish(bytes));
  EXPECT_EQ(read(), "abc");
  const auto end = loop.start(stream->readable());
  loop.poll();
  loop.poll();
  ASSERT_TRUE(end.done());
  EXPECT_EQ(read(), "end");
}

TEST_F(SocketStreamTest, DetectsALaterEnd) {
  peer_sends("abc");
  ASSERT_TRUE(loop.run(stream->readable()));
  EXPECT_EQ(read(), "abc");
  const auto end = loop.start(stream->readable());
  loop.poll();
  EXPECT_FALSE(end.done());
  peer.reset();
  await_end();
  loop.poll();
  loop.poll();
  ASSERT_TRUE(end.done());
  EXPECT_EQ(read(), "end");
}

}  // namespace
}  // namespace fairlead::http
