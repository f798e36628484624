#include <fairlead/transport/memory.hpp>

#include <gtest/gtest.h>

#include "support/messages.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport::memory_test {
namespace {

using namespace test;

TEST(MemoryPair, S2_45_TransfersMessagesAndBatchesAsValues) {
  TestLoop loop;
  auto [near, far] = memory_pair(loop.loop());
  ASSERT_TRUE(loop.run(near->send({request(1)})));
  ASSERT_TRUE(loop.run(near->send_batch({request(2), request(3)})));
  EXPECT_EQ(std::get<jsonrpc::Message>(loop.run(far->receive()).value()), request(1));
  EXPECT_EQ(std::get<jsonrpc::Batch>(loop.run(far->receive()).value()).entries.size(), 2u);
}

TEST(MemoryPair, SenderWaitsWhileTheQueueIsFull) {
  TestLoop loop;
  auto [near, far] = memory_pair(loop.loop(), 2);
  ASSERT_TRUE(loop.run(near->send({request(1)})));
  ASSERT_TRUE(loop.run(near->send({request(2)})));
  const auto third = loop.start(near->send({request(3)}));
  loop.poll();
  EXPECT_FALSE(third.done());
  EXPECT_TRUE(loop.run(far->receive()));
  EXPECT_TRUE(loop.finish(third));
}

TEST(MemoryPair, ReceivesMessagesSentBeforeTheEnd) {
  TestLoop loop;
  auto [near, far] = memory_pair(loop.loop());
  ASSERT_TRUE(loop.run(near->send({request(1)})));
  near->close();
  EXPECT_TRUE(loop.run(far->receive()));
  EXPECT_EQ(loop.run(far->receive()).error().kind, ErrorKind::closed);
  EXPECT_EQ(loop.run(far->send({request(2)})).error().kind, ErrorKind::closed);
}

TEST(MemoryPair, CloseEndsPendingCallsOnBothSides) {
  TestLoop loop;
  auto [near, far] = memory_pair(loop.loop(), 1);
  ASSERT_TRUE(loop.run(near->send({request(1)})));
  const auto sending = loop.start(near->send({request(2)}));
  const auto receiving = loop.start(near->receive());
  loop.poll();
  far->close();
  EXPECT_EQ(loop.finish(sending).error().kind, ErrorKind::closed);
  EXPECT_EQ(loop.finish(receiving).error().kind, ErrorKind::closed);
}

TEST(MemoryBytes, LimitsReadsAndAppliesBackpressure) {
  TestLoop loop;
  auto [near, far] = memory_byte_pair(loop.loop(), {.capacity = 4, .chunk = 3});
  const auto writing = loop.start(near->write("abcdef"));
  std::string buffer(10, '\0');
  EXPECT_EQ(loop.run(far->read(buffer)), 3u);
  EXPECT_EQ(loop.run(far->read(buffer)), 3u);
  EXPECT_EQ(buffer.substr(0, 3), "def");
  EXPECT_TRUE(loop.finish(writing));
  near->close();
  EXPECT_EQ(loop.run(far->read(buffer)), 0u);
}

}  // namespace
}  // namespace fairlead::transport::memory_test
