#include <fairlead/base/blocking_pool.hpp>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <gtest/gtest.h>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace fairlead::blocking_pool_test {
namespace {

namespace asio = boost::asio;

class BlockingPoolTest : public testing::Test {
 protected:
  template <class T>
  void start(Task<Result<T>> task, std::optional<Result<T>>& result) {
    async_start(loop_, std::move(task), [this, &result](const std::exception_ptr& failure, Result<T> value) {
      failure_ = failure;
      if (!failure) result = std::move(value);
    });
  }
  template <class T>
  std::optional<Result<T>> run(Task<Result<T>> task) {
    std::optional<Result<T>> result;
    start(std::move(task), result);
    loop_.restart();
    loop_.run();
    return result;
  }

  asio::io_context loop_{1};
  CapturingSink log_;
  std::exception_ptr failure_;
};

TEST_F(BlockingPoolTest, RunsOnAPoolThreadAndResumesOnTheCallersLoop) {
  BlockingPool pool{1, 1};
  const auto caller = [](BlockingPool& to) -> Task<Result<bool>> {
    const auto before = std::this_thread::get_id();
    const auto there = co_await to.run([] { return std::this_thread::get_id(); });
    co_return before == std::this_thread::get_id() && there && *there != before;
  };
  EXPECT_EQ(run(caller(pool)), Result<bool>(true));
}

TEST_F(BlockingPoolTest, RunsVoidAndMoveOnlyFunctions) {
  BlockingPool pool{1, 1};
  const auto target = std::make_shared<int>(0);
  EXPECT_TRUE(run(pool.run([target, owned = std::make_unique<int>(3)] { *target = *owned; }))->has_value());
  EXPECT_EQ(*target, 3);
}

TEST_F(BlockingPoolTest, ReturnsTheResultOfTheFunction) {
  BlockingPool pool{1, 1};
  const auto result = run(pool.run([]() -> Result<int> { return fail(ErrorKind::refused, "no"); }));
  EXPECT_EQ(result->error().message, "no");
}

TEST_F(BlockingPoolTest, RethrowsExceptions) {
  BlockingPool pool{1, 1};
  run(pool.run([]() -> int { throw std::runtime_error("disk"); }));
  EXPECT_THROW(std::rethrow_exception(failure_), std::runtime_error);
  EXPECT_EQ(run(pool.run([] { return 1; })), Result<int>(1));
}

TEST_F(BlockingPoolTest, RefusesWhenTheQueueIsFull) {
  std::latch release(1);
  BlockingPool pool{1, 1};
  std::optional<Result<int>> first, second, third;
  const auto block = [&release] {
    release.wait();
    return 1;
  };
  start(pool.run(block), first);
  start(pool.run(block), second);
  start(pool.run(block), third);
  while (!third) loop_.run_one();
  ASSERT_FALSE(*third);
  EXPECT_EQ(third->error().kind, ErrorKind::refused);
  EXPECT_NE(third->error().message.find("busy"), std::string::npos);
  release.count_down();
  loop_.run();
  EXPECT_EQ(first, Result<int>(1));
  EXPECT_EQ(second, Result<int>(1));
}

TEST_F(BlockingPoolTest, FreesTheThreadBeforeTheResultArrives) {
  BlockingPool pool{1, 0};
  for (int i = 0; i < 200; ++i) EXPECT_EQ(run(pool.run([i] { return i; })), Result<int>(i));
}

TEST_F(BlockingPoolTest, UsesAllItsThreads) {
  constexpr int count = 4;
  std::latch all_there(count);
  BlockingPool pool{count, 0};
  std::array<std::optional<Result<void>>, count> results;
  // Ends only if all run at the same time.
  for (auto& result : results) start(pool.run([&all_there] { all_there.arrive_and_wait(); }), result);
  loop_.run();
  for (const auto& result : results) EXPECT_TRUE(result && *result);
}

TEST_F(BlockingPoolTest, CancelsQueuedButNotRunningFunctions) {
  std::latch running(1), release(1);
  BlockingPool pool{1, 1};
  TaskScope scope{loop_.get_executor(), log_, "test"};
  std::optional<Result<int>> first, second;
  const auto caller = [](Task<Result<int>> task, std::optional<Result<int>>& result) -> Task<void> {
    result = co_await std::move(task);
  };
  scope.spawn(caller(pool.run([&] {
    running.count_down();
    release.wait();
    return 1;
  }),
                     first));
  scope.spawn(caller(pool.run([] { return 2; }), second));
  loop_.poll();
  running.wait();
  scope.cancel();
  while (!second) loop_.run_one();
  EXPECT_EQ(second->error().kind, ErrorKind::cancelled);
  EXPECT_FALSE(first);
  release.count_down();
  loop_.run();
  EXPECT_EQ(first, Result<int>(1));
  EXPECT_EQ(scope.count(), 0u);
}

TEST_F(BlockingPoolTest, StopRefusesQueuedAndLaterFunctions) {
  std::latch running(1), release(1);
  BlockingPool pool{1, 1};
  std::optional<Result<void>> first, second;
  start(pool.run([&] {
    running.count_down();
    release.wait();
  }),
        first);
  start(pool.run([] {}), second);
  loop_.poll();
  running.wait();
  std::thread stopper([&] { pool.stop(); });
  while (pool.waiting() > 0) std::this_thread::yield();
  release.count_down();
  stopper.join();
  loop_.run();
  EXPECT_TRUE(first->has_value());
  EXPECT_EQ(second->error().kind, ErrorKind::closed);
  EXPECT_EQ(run(pool.run([] {}))->error().kind, ErrorKind::closed);
}

TEST_F(BlockingPoolTest, MayBeStoppedByItsOwnFunction) {
  BlockingPool pool{2, 1};
  EXPECT_TRUE(run(pool.run([&] { pool.stop(); }))->has_value());
}

TEST_F(BlockingPoolTest, MayBeStoppedAfterTheCallersLoop) {
  std::latch running(1), release(1);
  BlockingPool pool{1, 1};
  std::optional<Result<void>> result;
  start(pool.run([&] {
    running.count_down();
    release.wait();
  }),
        result);
  loop_.poll();
  running.wait();
  loop_.stop();
  release.count_down();
  pool.stop();
  EXPECT_FALSE(result);
}

}  // namespace
}  // namespace fairlead::blocking_pool_test
