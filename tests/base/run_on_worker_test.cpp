#include <fairlead/base/run_on_worker.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace fairlead::run_on_worker_test {
namespace {

namespace asio = boost::asio;

Task<std::size_t> where(Workers& workers) {
  co_await asio::post(co_await this_task::executor, use_task);
  for (std::size_t i = 0; i < workers.size(); ++i)
    if (workers[i].is_current()) co_return i;
  throw std::logic_error("nowhere");
}

Task<void> hang() {
  asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(use_task);
}

class RunOnWorkerTest : public testing::Test {
 protected:
  RunOnWorkerTest() { workers_.start(); }

  template <class T>
  T run_on_first(Task<T> task) {
    return async_start(workers_[0].executor(), std::move(task), asio::use_future).get();
  }

  CapturingSink log_;
  Workers workers_{2, log_};
};

TEST_F(RunOnWorkerTest, RunsThereAndResumesHere) {
  const auto trip = [](Workers& workers) -> Task<std::string> {
    const auto there = co_await run_on_worker(workers[1], where(workers));
    const auto back = co_await where(workers);
    co_return std::to_string(there) + std::to_string(back) + (workers[0].is_current() ? "here" : "lost");
  };
  EXPECT_EQ(run_on_first(trip(workers_)), "10here");
}

TEST_F(RunOnWorkerTest, WorksOnTheCallersOwnWorker) {
  const auto trip = [](Workers& workers) -> Task<std::size_t> { return run_on_worker(workers[0], where(workers)); };
  EXPECT_EQ(run_on_first(trip(workers_)), 0u);
}

TEST_F(RunOnWorkerTest, ReturnsMoveOnlyResults) {
  const auto make = []() -> Task<std::unique_ptr<int>> { co_return std::make_unique<int>(7); };
  const auto trip = [](Worker& worker, Task<std::unique_ptr<int>> task) -> Task<int> {
    const auto result = co_await run_on_worker(worker, std::move(task));
    co_return *result;
  };
  EXPECT_EQ(run_on_first(trip(workers_[1], make())), 7);
}

TEST_F(RunOnWorkerTest, RethrowsExceptions) {
  const auto fail_there = []() -> Task<int> {
    co_await asio::post(co_await this_task::executor, use_task);
    throw std::runtime_error("over there");
  };
  EXPECT_THROW(run_on_first(run_on_worker(workers_[1], fail_there())), std::runtime_error);
}

TEST_F(RunOnWorkerTest, ManyConcurrentCallsReturn) {
  const auto trips = [](Workers& workers, int count) -> Task<int> {
    int there = 0;
    for (int i = 0; i < count; ++i) there += static_cast<int>(co_await run_on_worker(workers[1], where(workers)));
    co_return there;
  };
  auto one = async_start(workers_[0].executor(), trips(workers_, 500), asio::use_future);
  auto two = async_start(workers_[0].executor(), trips(workers_, 500), asio::use_future);
  EXPECT_EQ(one.get() + two.get(), 1000);
}

TEST_F(RunOnWorkerTest, CancellingTheCallerCancelsTheTaskAndWaitsForIt) {
  for (int round = 0; round < 50; ++round) {
    std::promise<void> ended;
    const auto owner = [](LogSink& log, Workers& workers, bool at_once) -> Task<void> {
      TaskScope scope{co_await this_task::executor, log, "test"};
      scope.spawn(run_on_worker(workers[1], hang()));
      if (!at_once) co_await where(workers);
      scope.cancel();
      co_await scope.join();
    };
    async_start(workers_[0].executor(), owner(log_, workers_, round % 2 == 0),
                [&](const std::exception_ptr&) { ended.set_value(); });
    ended.get_future().get();
  }
  EXPECT_TRUE(log_.lines().empty());
}

TEST_F(RunOnWorkerTest, CancellationMayRaceWithTheEnd) {
  for (int round = 0; round < 200; ++round) {
    std::promise<void> ended;
    const auto owner = [](LogSink& log, Workers& workers) -> Task<void> {
      TaskScope scope{co_await this_task::executor, log, "test"};
      const auto run_on_second = [](Workers& all) -> Task<void> { co_await run_on_worker(all[1], where(all)); };
      scope.spawn(run_on_second(workers));
      co_await where(workers);
      scope.cancel();
      co_await scope.join();
    };
    async_start(workers_[0].executor(), owner(log_, workers_), [&](const std::exception_ptr&) { ended.set_value(); });
    ended.get_future().get();
  }
}

TEST_F(RunOnWorkerTest, MayBeDestroyedWithItsWorkers) {
  TaskScope scope{workers_[0].executor(), log_, "test"};
  std::promise<void> spawned;
  asio::post(workers_[0].context(), [&] {
    scope.spawn(run_on_worker(workers_[1], hang()));
    spawned.set_value();
  });
  spawned.get_future().get();
  workers_.stop();
}

}  // namespace
}  // namespace fairlead::run_on_worker_test
