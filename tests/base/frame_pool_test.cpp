#include "base/frame_pool.hpp"

#include <memory>
#include <thread>

#include "base/allocated_bytes.hpp"
#include "base/task_fixture.hpp"

namespace fairlead::frame_pool_test {
namespace {

namespace asio = boost::asio;
using test::allocated_bytes;
using test::one;
using FramePool = test::TaskFixture;

// Not a coroutine.
Task<int> ready() {
  return 1;
}

Task<std::size_t> bytes_of_ready_values() {
  const auto before = allocated_bytes();
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += co_await ready();
  EXPECT_EQ(sum, 100);
  co_return allocated_bytes() - before;
}

Task<std::size_t> bytes_of_coroutines() {
  int sum = co_await one();
  const auto before = allocated_bytes();
  for (int i = 1; i < 100; ++i) sum += co_await one();
  EXPECT_EQ(sum, 100);
  co_return allocated_bytes() - before;
}

TEST_F(FramePool, AReadyValueAllocatesNothing) {
  EXPECT_EQ(**run(bytes_of_ready_values()), 0u);
}

TEST_F(FramePool, AFreedFrameIsUsedAgain) {
  const auto bytes = **run(bytes_of_coroutines());
  if (!detail::pools_frames) GTEST_SKIP() << "the address sanitizer finds more if frames are freed";
  EXPECT_EQ(bytes, 0u);
}

TEST_F(FramePool, FramesMayBeFreedOnAnotherThread) {
  for (int round = 0; round < 200; ++round) {
    auto task = std::make_unique<Task<int>>(one());
    std::thread other([&] {
      asio::io_context own;
      int result = 0;
      start(own.get_executor(), std::move(*task), [&](const TaskOutcome<int>& outcome) { result = outcome.value(); });
      EXPECT_EQ(result, 1);
    });
    other.join();
  }
}

}  // namespace
}  // namespace fairlead::frame_pool_test
