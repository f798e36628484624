#include <fairlead/base/task.hpp>

#include <fairlead/base/result.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "base/nested_task.hpp"
#include "base/task_fixture.hpp"

namespace fairlead::task_test {
namespace {

namespace asio = boost::asio;
using test::one;
using test::wait_forever;
using test::yield;

using Text = Result<std::string>;
using TaskTest = test::TaskFixture;

Task<Text> plain_function(bool good) {
  if (!good) return fail(ErrorKind::refused, "no");
  return Text("ready");
}
Task<void> nothing() {
  co_return;
}
Task<void> throws() {
  throw std::runtime_error("bug");
  co_return;
}

TEST_F(TaskTest, ValuesAndFailuresConvertToReadyTasks) {
  const auto both = []() -> Task<std::string> {
    auto good = co_await plain_function(true);
    auto bad = co_await plain_function(false);
    co_return *good + ", " + bad.error().message;
  };
  const auto ended = run(both());
  ASSERT_TRUE(ended && *ended);
  EXPECT_EQ(**ended, "ready, no");
}

TEST_F(TaskTest, ATaskOfNothingIsReadyByDefault) {
  const auto ended = run(Task<void>());
  EXPECT_TRUE(ended && *ended);
}

TEST_F(TaskTest, DoesNotRunBeforeItIsAwaited) {
  int steps = 0;
  const auto step = [](int& count) -> Task<void> {
    ++count;
    co_return;
  };
  auto task = step(steps);
  EXPECT_EQ(steps, 0);
  run(std::move(task));
  EXPECT_EQ(steps, 1);
}

TEST_F(TaskTest, CompletesInsideStartIfNothingWaits) {
  std::optional<TaskOutcome<int>> ended;
  begin(one(), ended);
  ASSERT_TRUE(ended);
  EXPECT_EQ(**ended, 1);
}

TEST_F(TaskTest, RunsUpToItsFirstWaitInsideStart) {
  int steps = 0;
  const auto two_steps = [](int& count) -> Task<void> {
    ++count;
    co_await yield();
    ++count;
  };
  std::optional<TaskOutcome<void>> ended;
  begin(two_steps(steps), ended);
  EXPECT_EQ(steps, 1);
  loop.run();
  EXPECT_EQ(steps, 2);
  EXPECT_TRUE(ended && *ended);
}

TEST_F(TaskTest, AnExceptionReachesTheCallerAndTheCompletion) {
  const auto catching = []() -> Task<std::string> {
    try {
      co_await throws();
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "";
  };
  EXPECT_EQ(**run(catching()), "bug");
  const auto ended = run(throws());
  ASSERT_TRUE(ended && !*ended);
  EXPECT_THROW(std::rethrow_exception(ended->error()), std::runtime_error);
}

TEST_F(TaskTest, AwaitsAnOutcomeInPlaceOfAnException) {
  const auto outcome_of = [](Task<int> task) -> Task<int> {
    detail::OutcomeAwaiter ending{std::move(task)};
    const auto outcome = co_await std::move(ending);
    co_return outcome ? *outcome : -1;
  };
  const auto wait_and_throw = []() -> Task<int> {
    co_await yield();
    throw std::runtime_error("bug");
  };
  EXPECT_EQ(**run(outcome_of(one())), 1);
  EXPECT_EQ(**run(outcome_of(Task<int>(7))), 7);
  EXPECT_EQ(**run(outcome_of(wait_and_throw())), -1);
}

TEST_F(TaskTest, AnExceptionOfTheCompletionLeavesStart) {
  const auto complain = [](const TaskOutcome<void>&) { throw std::runtime_error("completion"); };
  EXPECT_THROW(start(loop.get_executor(), nothing(), complain), std::runtime_error);
  start(loop.get_executor(), yield(), complain);
  EXPECT_THROW(loop.run(), std::runtime_error);
}

TEST_F(TaskTest, TheCompletionMayDestroyItsOwner) {
  struct Owner {
    explicit Owner(bool& was_destroyed) : destroyed(was_destroyed) {}
    Owner(const Owner&) = delete;
    ~Owner() { destroyed = true; }
    Task<void> work() { co_await yield(); }
    bool& destroyed;
    StopSource stop;
  };
  bool destroyed = false;
  auto owner = std::make_unique<Owner>(destroyed);
  auto* work = owner.get();
  start(loop.get_executor(), work->work(), [&owner](const TaskOutcome<void>&) { owner.reset(); }, &work->stop);
  loop.run();
  EXPECT_TRUE(destroyed);
}

TEST_F(TaskTest, AMillionAwaitsInARowNeedNoStack) {
  const auto sum = []() -> Task<int> {
    int total = 0;
    for (int i = 0; i < 1'000'000; ++i) total += co_await one();
    co_return total;
  };
  EXPECT_EQ(**run(sum()), 1'000'000);
}

TEST_F(TaskTest, AMillionWaitsThatEndAtOnceNeedNoStack) {
  const auto count = []() -> Task<int> {
    const auto executor = co_await this_task::executor;
    int total = 0;
    for (; total < 1'000'000; ++total) co_await asio::dispatch(executor, use_task);
    co_return total;
  };
  int counted = 0;
  asio::post(loop, [&] {
    start(loop.get_executor(), count(), [&](const TaskOutcome<int>& outcome) { counted = outcome.value(); });
    EXPECT_EQ(counted, 1'000'000);
  });
  loop.run();
}

TEST_F(TaskTest, ATaskThatWaitsIsDestroyedWithItsLoop) {
  const auto own = std::make_shared<int>(1);
  const auto hold = [](std::shared_ptr<int>) -> Task<void> {
    NestedTask nested(co_await this_task::context);
    co_await nested.run(wait_forever(), [] {});
  };
  {
    asio::io_context other;
    start(other.get_executor(), hold(own), [own](const TaskOutcome<void>&) {});
    EXPECT_EQ(own.use_count(), 3);
  }
  EXPECT_EQ(own.use_count(), 1);
}

TEST_F(TaskTest, ATaskThatNeverStartsIsDestroyed) {
  const auto own = std::make_shared<int>(1);
  const auto hold = [](std::shared_ptr<int>) -> Task<void> { co_return; };
  {
    const auto unused = hold(own);
    EXPECT_EQ(own.use_count(), 2);
  }
  EXPECT_EQ(own.use_count(), 1);
}

TEST_F(TaskTest, ATaskIsAwaitedOnlyAsATemporary) {
  static_assert(!std::is_copy_constructible_v<Task<int>>);
  static_assert(std::is_nothrow_move_constructible_v<Task<int>>);
  auto task = one();
  auto taken = std::move(task);
  const auto await_it = [](Task<int>& again) -> Task<int> { co_return co_await std::move(again); };
  EXPECT_EQ(**run(std::move(taken)), 1);
  EXPECT_DEATH(run(await_it(task)), "awaited or started twice");
}

}  // namespace
}  // namespace fairlead::task_test
