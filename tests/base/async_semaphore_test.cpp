#include "base/async_semaphore.hpp"

#include <boost/asio/io_context.hpp>
#include <fairlead/base/start_task.hpp>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace fairlead::async_semaphore_test {
namespace {

struct AsyncSemaphoreTest : testing::Test {
  void acquire(std::string name, StopSource* stop = nullptr) {
    const auto done = [this, name](TaskOutcome<AsyncSemaphore::Permit> permit) {
      if (!permit || !*permit) return cancelled.push_back(name);
      entered.push_back(name);
      held.push_back(std::move(*permit));
    };
    start(loop.get_executor(), semaphore.acquire(), done, stop);
    poll();
  }
  void release() {
    held.erase(held.begin());
    poll();
  }
  void poll() {
    loop.restart();
    loop.poll();
  }

  boost::asio::io_context loop{1};
  AsyncSemaphore semaphore{1};
  std::vector<AsyncSemaphore::Permit> held;
  std::vector<std::string> entered, cancelled;
};

using Names = std::vector<std::string>;

TEST_F(AsyncSemaphoreTest, AFreePermitIsReady) {
  auto first = semaphore.acquire();
  EXPECT_TRUE(first.is_ready());
  EXPECT_FALSE(semaphore.acquire().is_ready());
  EXPECT_EQ(semaphore.waiting(), 0U) << "a task that did not start does not wait";
}

TEST_F(AsyncSemaphoreTest, ADroppedTaskReturnsItsPermit) {
  EXPECT_TRUE(semaphore.acquire().is_ready());
  EXPECT_TRUE(semaphore.acquire().is_ready());
}

TEST_F(AsyncSemaphoreTest, WaitersEnterInOrder) {
  for (const auto* name : {"a", "b", "c"}) acquire(name);
  EXPECT_EQ(entered, Names({"a"}));
  release();
  EXPECT_EQ(entered, Names({"a", "b"}));
  release();
  EXPECT_EQ(entered, Names({"a", "b", "c"}));
  release();
  EXPECT_TRUE(semaphore.acquire().is_ready());
}

TEST_F(AsyncSemaphoreTest, AWaiterDoesNotRunInsideTheDestructorOfAPermit) {
  acquire("a");
  acquire("b");
  held.clear();
  EXPECT_EQ(entered, Names({"a"}));
  poll();
  EXPECT_EQ(entered, Names({"a", "b"}));
}

TEST_F(AsyncSemaphoreTest, ACancelledWaiterIsSkipped) {
  StopSource stop;
  acquire("a");
  acquire("b", &stop);
  acquire("c");
  stop.request_stop();
  poll();
  EXPECT_EQ(cancelled, Names({"b"}));
  release();
  EXPECT_EQ(entered, Names({"a", "c"}));
}

TEST_F(AsyncSemaphoreTest, AWaiterThatIsStoppedAfterItGotThePermitReturnsIt) {
  StopSource stop;
  acquire("a");
  acquire("b", &stop);
  held.clear();
  stop.request_stop();
  poll();
  held.clear();
  poll();
  EXPECT_TRUE(semaphore.acquire().is_ready());
}

}  // namespace
}  // namespace fairlead::async_semaphore_test
