#include "base/promise.hpp"

#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "support/test_loop.hpp"

namespace fairlead::promise_test {
namespace {

Task<void> waiting(Promise<int>& promise, std::string& said) {
  const int value = co_await promise.wait(-1);
  said += std::to_string(value);
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
  std::string said;
};

TEST_F(PromiseTest, SetResumesTheWaiterLater) {
  run_on_loop([&] {
    tasks.spawn(waiting(promise, said));
    promise.set(1);
    said += "kept ";
  });
  EXPECT_EQ(said, "kept 1");
}

TEST_F(PromiseTest, SetAndYieldResumesTheWaiterInline) {
  run_on_loop([&] {
    tasks.spawn(waiting(promise, said));
    promise.set_and_yield(1);
    said += " kept";
  });
  EXPECT_EQ(said, "1 kept");
}

TEST_F(PromiseTest, WaitReturnsAValueThatIsAlreadySet) {
  run_on_loop([&] {
    promise.set(1);
    promise.set_and_yield(2);
    tasks.spawn(waiting(promise, said));
    said += " waited";
  });
  EXPECT_EQ(said, "1 waited");
}

TEST_F(PromiseTest, ACancelledWaiterGetsTheDefault) {
  run_on_loop([&] {
    auto task = tasks.spawn(waiting(promise, said));
    task.cancel();
    promise.set_and_yield(1);
    said += "kept ";
  });
  EXPECT_EQ(said, "kept -1");
  EXPECT_TRUE(promise.is_set());
}

TEST_F(PromiseTest, AwaitingAfterSetReturnsTheValue) {
  run_on_loop([&] {
    tasks.spawn([](Promise<int>& of, std::string& told) -> Task<void> {
      auto later = of.settled();
      of.set(1);
      co_await std::move(later);
      told += std::to_string(of.take().value_or(-1));
    }(promise, said));
  });
  EXPECT_EQ(said, "1");
}

}  // namespace
}  // namespace fairlead::promise_test
