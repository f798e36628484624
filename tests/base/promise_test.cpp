#include "base/promise.hpp"

#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "support/test_loop.hpp"

namespace fairlead::promise_test {
namespace {

Task<void> waiting(Promise<int>& promise, std::string& output) {
  const auto value = co_await promise.wait();
  output += std::to_string(value.value_or(-1));
}

Task<void> waiting_for_a_turn(Promise<int>& promise, std::string& output) {
  const auto value = co_await promise.wait();
  co_await next_turn;
  output += std::to_string(value.value_or(-1));
}

struct PromiseTest : testing::Test {
  void run_on_loop(const std::function<void()>& action) {
    loop.run([](const std::function<void()>& now) -> Task<bool> {
      now();
      co_return true;
    }(action));
    loop.context().restart();
    loop.context().poll();
  }

  test::TestLoop loop;
  TaskScope tasks{loop.loop().executor, loop.log(), "test"};
  Promise<int> promise;
  std::string output;
};

TEST_F(PromiseTest, SetResumesTheWaiterInline) {
  run_on_loop([&] {
    tasks.spawn(waiting(promise, output));
    promise.set(1);
    output += " kept";
  });
  EXPECT_EQ(output, "1 kept");
}

TEST_F(PromiseTest, AWaiterMayContinueWithTheNextTurn) {
  run_on_loop([&] {
    tasks.spawn(waiting_for_a_turn(promise, output));
    promise.set(1);
    output += "kept ";
  });
  EXPECT_EQ(output, "kept 1");
}

TEST_F(PromiseTest, TheWaiterMayDestroyThePromise) {
  auto owned = std::make_unique<Promise<int>>();
  run_on_loop([&] {
    tasks.spawn([](std::unique_ptr<Promise<int>>& of, std::string& text) -> Task<void> {
      const auto value = co_await of->wait();
      of.reset();
      text += std::to_string(value.value_or(-1));
    }(owned, output));
    owned->set(1);
  });
  EXPECT_EQ(output, "1");
}

TEST_F(PromiseTest, DestroyingThePromiseDestroysTheWaiter) {
  auto owned = std::make_unique<Promise<int>>();
  run_on_loop([&] {
    tasks.spawn(waiting(*owned, output));
    owned.reset();
  });
  EXPECT_EQ(tasks.count(), 0u);
  EXPECT_EQ(output, "");
}

TEST_F(PromiseTest, WaitReturnsAValueThatIsAlreadySet) {
  run_on_loop([&] {
    promise.set(1);
    promise.set(2);
    tasks.spawn(waiting(promise, output));
    output += " waited";
  });
  EXPECT_EQ(output, "1 waited");
}

TEST_F(PromiseTest, AStoppedWaiterGetsNothingAndResumesLater) {
  run_on_loop([&] {
    auto task = tasks.spawn(waiting(promise, output));
    task.cancel();
    promise.set(1);
    output += "kept ";
  });
  EXPECT_EQ(output, "kept -1");
  EXPECT_TRUE(promise.is_set());
}

TEST_F(PromiseTest, AwaitingAfterSetReturnsTheValue) {
  run_on_loop([&] {
    tasks.spawn([](Promise<int>& of, std::string& text) -> Task<void> {
      auto wait = of.wait();
      of.set(1);
      const auto value = co_await std::move(wait);
      text += std::to_string(value.value_or(-1));
    }(promise, output));
  });
  EXPECT_EQ(output, "1");
}

}  // namespace
}  // namespace fairlead::promise_test
