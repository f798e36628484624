#include <fairlead/base/with_deadline.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <fairlead/transport/memory.hpp>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "support/messages.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport::cancellation_test {
namespace {

using namespace test;
using namespace std::chrono_literals;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

// Cancelling a receive in the middle of a message loses no bytes.
void cancel_and_continue(TestLoop& loop, Transport& transport, ByteStream& peer) {
  ASSERT_TRUE(loop.run(peer.write(ping.substr(0, 10))));
  const auto first =
      loop.run(with_deadline(loop.loop().timers, Deadline::in(20ms, loop.loop().timers.clock()), transport.receive()));
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().kind, ErrorKind::timeout);
  ASSERT_TRUE(loop.run(peer.write(ping.substr(10) + "\n")));
  EXPECT_EQ(text(loop.run(transport.receive())), ping);
}

TEST(Cancellation, CancelledReceiveOnDescriptorsLosesNothing) {
  TestLoop loop;
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  FramedTransport transport(loop.loop(), std::make_unique<DescriptorStream>(loop.loop(), Descriptor(ends[0])));
  DescriptorStream peer(loop.loop(), Descriptor(ends[1]));
  cancel_and_continue(loop, transport, peer);
}

TEST(Cancellation, CancelledReceiveOnMemoryStreamLosesNothing) {
  TestLoop loop;
  auto [near, far] = memory_byte_pair(loop.loop());
  FramedTransport transport(loop.loop(), std::move(near));
  cancel_and_continue(loop, transport, *far);
}

TEST(Cancellation, CancelledReceiveOnMemoryPairLosesNothing) {
  TestLoop loop;
  auto [near, far] = memory_pair(loop.loop());
  const auto deadline = Deadline::in(20ms, loop.loop().timers.clock());
  EXPECT_EQ(loop.run(with_deadline(loop.loop().timers, deadline, near->receive())).error().kind, ErrorKind::timeout);
  ASSERT_TRUE(loop.run(far->send({request(1)})));
  EXPECT_EQ(text(loop.run(near->receive())), ping);
}

}  // namespace
}  // namespace fairlead::transport::cancellation_test
