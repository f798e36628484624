#include <fairlead/base/task_scope.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace fairlead::task_scope_test {
namespace {

namespace asio = boost::asio;

Task<void> wait_forever() {
  asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(use_task);
}

Task<void> yield() {
  co_await asio::post(co_await this_task::executor, use_task);
}

struct TaskLog {
  int started = 0, ended = 0, unwound = 0;
};

struct Unwinding {
  TaskLog& marks;
  ~Unwinding() { ++marks.unwound; }
};

Task<void> mark_and_wait(TaskLog& marks) {
  const Unwinding unwinding{marks};
  ++marks.started;
  co_await wait_forever();
  ++marks.ended;
}

Task<void> mark_after(TaskLog& marks, int yields) {
  ++marks.started;
  for (int i = 0; i < yields; ++i) co_await yield();
  ++marks.ended;
}

Task<void> throw_after_yield(std::string text) {
  co_await yield();
  throw std::runtime_error(text);
}

class TaskScopeTest : public testing::Test {
 protected:
  // The coroutine that owns the scope.
  void run(Task<void> task) {
    async_start(loop_, std::move(task), [this](const std::exception_ptr& failure) { failure_ = failure; });
    loop_.run();
  }

  asio::io_context loop_{1};
  CapturingSink log_;
  TaskLog marks_;
  std::exception_ptr failure_;
};

TEST_F(TaskScopeTest, JoinWaitsForEveryTask) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  scope.spawn(mark_after(marks_, 3));
  scope.spawn(mark_after(marks_, 30));
  EXPECT_EQ(scope.count(), 2u);
  run(scope.join());
  EXPECT_EQ(marks_.ended, 2);
  EXPECT_EQ(scope.count(), 0u);
}

TEST_F(TaskScopeTest, JoinWithoutTasksReturns) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  run(scope.join());
  EXPECT_FALSE(failure_);
}

TEST_F(TaskScopeTest, SeveralCoroutinesMayJoin) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  scope.spawn(mark_after(marks_, 3));
  async_start(loop_, scope.join(), [this](const std::exception_ptr&) { ++marks_.unwound; });
  run(scope.join());
  EXPECT_EQ(marks_.unwound, 1);
}

TEST_F(TaskScopeTest, CancelEndsWaitingTasks) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  scope.spawn(mark_and_wait(marks_));
  scope.spawn(mark_and_wait(marks_));
  asio::post(loop_, [&] {
    scope.cancel();
    scope.cancel();
  });
  run(scope.join());
  EXPECT_EQ(marks_.started, 2);
  EXPECT_EQ(marks_.unwound, 2);
  EXPECT_EQ(marks_.ended, 0);
}

TEST_F(TaskScopeTest, CancellationIsNotLoggedAsAFailure) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  scope.spawn(wait_forever());
  asio::post(loop_, [&] { scope.cancel(); });
  run(scope.join());
  EXPECT_TRUE(log_.lines().empty());
}

TEST_F(TaskScopeTest, ATaskCancelledBeforeItsStartNeverRuns) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  scope.spawn(mark_and_wait(marks_));
  scope.cancel();
  run(scope.join());
  EXPECT_EQ(marks_.started, 0);
  EXPECT_EQ(scope.count(), 0u);
}

TEST_F(TaskScopeTest, ACancelledScopeStartsNoTasks) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  scope.cancel();
  EXPECT_FALSE(scope.spawn(mark_and_wait(marks_)));
  EXPECT_TRUE(scope.cancelled());
  run(scope.join());
  EXPECT_EQ(marks_.started, 0);
}

TEST_F(TaskScopeTest, ATaskMayCancelItsOwnScope) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  const auto suicide = [](TaskScope& own, TaskLog& marks) -> Task<void> {
    co_await yield();
    own.cancel();
    co_await yield();
    ++marks.ended;
  };
  scope.spawn(mark_and_wait(marks_));
  scope.spawn(suicide(scope, marks_));
  run(scope.join());
  EXPECT_EQ(marks_.ended, 0);
  EXPECT_EQ(marks_.unwound, 1);
}

TEST_F(TaskScopeTest, ATaskMayCancelItsOwnScopeAndEndWithoutEverWaiting) {
  TaskScope scope(loop_.get_executor(), log_, "test");
  const auto cancel = [](TaskScope& own) -> Task<void> {
    own.cancel();
    co_return;
  };
  scope.spawn(cancel(scope));
  loop_.run();
  TaskScope inner(loop_.get_executor(), log_, "test");
  boost::asio::post(loop_, [&] { inner.spawn(cancel(inner)); });
  loop_.restart();
  EXPECT_NO_THROW(loop_.run());
  EXPECT_EQ(scope.count() + inner.count(), 0u);
}

TEST_F(TaskScopeTest, ATaskMaySpawnAnother) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  const auto parent = [](TaskScope& own, TaskLog& marks) -> Task<void> {
    co_await yield();
    own.spawn(mark_after(marks, 5));
  };
  scope.spawn(parent(scope, marks_));
  run(scope.join());
  EXPECT_EQ(marks_.ended, 1);
}

TEST_F(TaskScopeTest, AnExceptionIsLoggedAndOtherTasksContinue) {
  TaskScope scope{loop_.get_executor(), log_, "session 7"};
  scope.spawn(throw_after_yield("the disk is on fire"));
  scope.spawn(mark_after(marks_, 5));
  run(scope.join());
  EXPECT_EQ(marks_.ended, 1);
  EXPECT_EQ(log_.lines(),
            (std::vector<CapturingSink::Line>{{LogLevel::error, "session 7", "a task failed: the disk is on fire"}}));
}

TEST_F(TaskScopeTest, AnExceptionDuringCancellationIsLogged) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  const auto clumsy = []() -> Task<void> {
    try {
      co_await wait_forever();
    } catch (const std::exception&) {
      throw std::runtime_error("could not flush");
    }
  };
  scope.spawn(clumsy());
  asio::post(loop_, [&] { scope.cancel(); });
  run(scope.join());
  EXPECT_TRUE(log_.contains("could not flush"));
}

TEST_F(TaskScopeTest, CancellingJoinCancelsTheScopeAndStillWaits) {
  TaskScope outer{loop_.get_executor(), log_, "outer"};
  const auto owner = [](LogSink& log, TaskLog& marks) -> Task<void> {
    TaskScope inner{co_await this_task::executor, log, "inner"};
    inner.spawn(mark_and_wait(marks));
    co_await inner.join();
    ++marks.ended;
  };
  outer.spawn(owner(log_, marks_));
  asio::post(loop_, [&] { outer.cancel(); });
  run(outer.join());
  EXPECT_EQ(marks_.unwound, 1);
  EXPECT_EQ(marks_.ended, 1);
}

TEST_F(TaskScopeTest, TasksOfAStoppedLoopAreDestroyedWithIt) {
  {
    asio::io_context loop{1};
    const auto owner = [](LogSink& log, TaskLog& marks) -> Task<void> {
      TaskScope inner{co_await this_task::executor, log, "inner"};
      inner.spawn(mark_and_wait(marks));
      inner.spawn(mark_and_wait(marks));
      co_await inner.join();
    };
    async_start(loop, owner(log_, marks_), [](const std::exception_ptr&) {});
    loop.poll();
    loop.stop();
  }
  EXPECT_EQ(marks_.started, 2);
  EXPECT_EQ(marks_.unwound, 2);
}

TEST_F(TaskScopeTest, DestroyingAScopeWithRunningTasksAborts) {
  const auto forget = [this] {
    auto scope = std::make_unique<TaskScope>(loop_.get_executor(), log_, "forgotten");
    scope->spawn(wait_forever());
    loop_.poll();
    scope.reset();
  };
  EXPECT_DEATH(forget(), "\"forgotten\" was destroyed while 1 of its tasks");
}

TEST_F(TaskScopeTest, WithScopeWaitsForTasksOfTheBody) {
  const auto body = [this](TaskScope& scope) -> Task<void> {
    scope.spawn(mark_after(marks_, 10));
    co_return;
  };
  run(with_scope(log_, "test", body));
  EXPECT_EQ(marks_.ended, 1);
}

TEST_F(TaskScopeTest, WithScopeCancelsTasksWhenTheBodyThrows) {
  const auto body = [this](TaskScope& scope) -> Task<void> {
    scope.spawn(mark_and_wait(marks_));
    return throw_after_yield("body");
  };
  run(with_scope(log_, "test", body));
  EXPECT_EQ(marks_.unwound, 1);
  EXPECT_THROW(std::rethrow_exception(failure_), std::runtime_error);
}

TEST_F(TaskScopeTest, WithScopeEndsAllTasksWhenTheCallerIsCancelled) {
  TaskScope outer{loop_.get_executor(), log_, "outer"};
  const auto body = [this](TaskScope& scope) -> Task<void> {
    scope.spawn(mark_and_wait(marks_));
    return mark_and_wait(marks_);
  };
  outer.spawn(with_scope(log_, "inner", body));
  asio::post(loop_, [&] { outer.cancel(); });
  run(outer.join());
  EXPECT_EQ(marks_.unwound, 2);
  EXPECT_TRUE(log_.lines().empty());
}

Task<void> cancel_first_of_two(LogSink& log, TaskLog& marks) {
  TaskScope scope{co_await this_task::executor, log, "two"};
  auto first = scope.spawn(mark_and_wait(marks));
  scope.spawn(mark_and_wait(marks));
  first.cancel();
  co_await yield();
  EXPECT_EQ(marks.unwound, 1);
  EXPECT_EQ(scope.count(), 1u);
  first.cancel();
  scope.cancel();
  co_await scope.join();
}

TEST_F(TaskScopeTest, HandleCancelsOneTaskOnly) {
  run(cancel_first_of_two(log_, marks_));
  EXPECT_EQ(marks_.unwound, 2);
  EXPECT_TRUE(log_.lines().empty());
}

}  // namespace
}  // namespace fairlead::task_scope_test
