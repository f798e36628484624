#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <gtest/gtest.h>
#include <stdexcept>
#include <utility>

#include "base/promise.hpp"
#include "base/scope_exit.hpp"

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

Task<int> next_number(int number) {
  co_await asio::post(co_await this_task::executor, use_task);
  if (number < 0) throw std::runtime_error("negative");
  co_return number + 1;
}

TEST_F(TaskStart, ACompletionReceivesTheResultWhileTheTaskCounts) {
  const auto keep = [&](TaskOutcome<int>&& outcome) {
    marks.ended = outcome.value();
    EXPECT_EQ(scope.count(), 1u);
  };
  EXPECT_TRUE(scope.spawn(next_number(6), keep));
  loop.run();
  EXPECT_EQ(marks.ended, 7);
  EXPECT_EQ(scope.count(), 0u);
}

TEST_F(TaskStart, AReadyTaskCompletesInSpawn) {
  asio::post(loop, [&] {
    scope.spawn(Task<int>(7), [&](TaskOutcome<int>&& outcome) { marks.ended = outcome.value(); });
    EXPECT_EQ(marks.ended, 7);
  });
  loop.run();
  EXPECT_EQ(scope.count(), 0u);
}

TEST_F(TaskStart, ACompletionReceivesTheExceptionAndItsOwnIsLogged) {
  scope.spawn(next_number(-1), [](TaskOutcome<int>&& outcome) {
    EXPECT_FALSE(outcome);
    throw std::runtime_error("from the completion");
  });
  loop.run();
  EXPECT_TRUE(log.contains("a task failed: from the completion"));
  EXPECT_FALSE(log.contains("negative"));
  EXPECT_EQ(scope.count(), 0u);
}

TEST_F(TaskStart, ATaskIsDestroyedBeforeWhatItsCompletionOwns) {
  struct Order {
    explicit Order(int& of) : left(of) {}
    Order(Order&& other) noexcept : left(other.left), counts(std::exchange(other.counts, false)) {}
    ~Order() {
      if (counts) left = 1;
    }
    int& left;
    bool counts = true;
  };
  const auto wait = [](TaskLog& seen, const int& left) -> Task<void> {
    const ScopeExit at_end([&] { seen.ended = left; });
    co_await mark_and_wait(seen);
  };
  int left = 7;
  {
    asio::io_context other;
    TaskScope inner(other.get_executor(), log, "test");
    inner.spawn(wait(marks, left), [order = Order(left)](TaskOutcome<void>&&) {});
    other.poll();
    other.stop();
  }
  EXPECT_EQ(marks.ended, 7);
  EXPECT_EQ(left, 1);
}

}  // namespace
}  // namespace fairlead::task_start_test
