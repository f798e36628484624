#include "base/promise.hpp"

#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "support/test_loop.hpp"

namespace fairlead::promise_test {
namespace {

Task<void> waiting(Promise<int>& promise, std::string& output) {
  const int value = co_await promise.wait(-1);
  output += std::to_string(value);
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

TEST_F(PromiseTest, SetResumesTheWaiterLater) {
  run_on_loop([&] {
    tasks.spawn(waiting(promise, output));
    promise.set(1);
    output += "kept ";
  });
  EXPECT_EQ(output, "kept 1");
}

TEST_F(PromiseTest, SetAndYieldResumesTheWaiterInline) {
  run_on_loop([&] {
    tasks.spawn(waiting(promise, output));
    promise.set_and_yield(1);
    output += " kept";
  });
  EXPECT_EQ(output, "1 kept");
}

TEST_F(PromiseTest, WaitReturnsAValueThatIsAlreadySet) {
  run_on_loop([&] {
    promise.set(1);
    promise.set_and_yield(2);
    tasks.spawn(waiting(promise, output));
    output += " waited";
  });
  EXPECT_EQ(output, "1 waited");
}

TEST_F(PromiseTest, ACancelledWaiterGetsTheDefault) {
  run_on_loop([&] {
    auto task = tasks.spawn(waiting(promise, output));
    task.cancel();
    promise.set_and_yield(1);
    output += "kept ";
  });
  EXPECT_EQ(output, "kept -1");
  EXPECT_TRUE(promise.is_set());
}

TEST_F(PromiseTest, AwaitingAfterSetReturnsTheValue) {
  run_on_loop([&] {
    tasks.spawn([](Promise<int>& of, std::string& text) -> Task<void> {
      auto later = of.settled();
      of.set(1);
      co_await std::move(later);
      text += std::to_string(of.take().value_or(-1));
    }(promise, output));
  });
  EXPECT_EQ(output, "1");
}

}  // namespace
}  // namespace fairlead::promise_test
