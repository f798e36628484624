#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <gtest/gtest.h>

#include "base/promise.hpp"

namespace fairlead::task_start_test {
namespace {

namespace asio = boost::asio;

struct TaskLog {
  int started = 0, ended = 0;
};

Task<void> mark(TaskLog& marks) {
  ++marks.started;
  ++marks.ended;
  co_return;
}

Task<void> mark_and_wait(TaskLog& marks) {
  ++marks.started;
  asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(use_task);
  ++marks.ended;
}

Task<void> mark_when_set(TaskLog& marks, Promise<int>& promise) {
  const auto value = co_await promise.wait();
  marks.ended = value.value_or(-1);
}

struct TaskStart : testing::Test {
  asio::io_context loop;
  CapturingSink log;
  TaskScope scope{loop.get_executor(), log, "test"};
  TaskLog marks;
};

TEST_F(TaskStart, ATaskWithoutWaitsEndsInSpawn) {
  asio::post(loop, [&] {
    EXPECT_TRUE(scope.spawn(mark(marks)));
    EXPECT_EQ(scope.count(), 0u);
  });
  loop.run();
  EXPECT_EQ(marks.ended, 1);
}

TEST_F(TaskStart, ATaskCancelledBeforeItStartsNeverRuns) {
  auto task = scope.spawn(mark_and_wait(marks));
  task.cancel();
  loop.run();
  EXPECT_EQ(marks.started, 0);
  EXPECT_EQ(scope.count(), 0u);
  EXPECT_TRUE(log.lines().empty());
}

TEST_F(TaskStart, ATaskCancelledWhileStartingEndsAtItsFirstWait) {
  const auto cancel_and_wait = [](TaskScope& own, TaskLog& seen) -> Task<void> {
    own.cancel();
    co_await mark_and_wait(seen);
  };
  asio::post(loop, [&] { scope.spawn(cancel_and_wait(scope, marks)); });
  loop.run();
  EXPECT_EQ(marks.started, 1);
  EXPECT_EQ(marks.ended, 0);
  EXPECT_EQ(scope.count(), 0u);
}

TEST_F(TaskStart, TheLoopRunsWhileATaskWaitsForAnExternalEvent) {
  Promise<int> promise;
  asio::post(loop, [&] { scope.spawn(mark_when_set(marks, promise)); });
  loop.poll();
  EXPECT_FALSE(loop.stopped());
  asio::post(loop, [&] { promise.set(7); });
  loop.run();
  EXPECT_EQ(marks.ended, 7);
}

TEST_F(TaskStart, WorksOnOtherExecutors) {
  TaskScope on_a_strand(asio::make_strand(loop), log, "test");
  Promise<int> promise;
  on_a_strand.spawn(mark_when_set(marks, promise));
  loop.poll();
  EXPECT_FALSE(loop.stopped());
  promise.set(7);
  loop.run();
  EXPECT_EQ(marks.ended, 7);
  EXPECT_EQ(on_a_strand.count(), 0u);
}

}  // namespace
}  // namespace fairlead::task_start_test
