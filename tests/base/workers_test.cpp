#include <fairlead/base/workers.hpp>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <future>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <thread>

namespace fairlead::workers_test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Runs `function` on a worker and waits for its result.
template <class Function>
auto on(Worker& worker, Function function) {
  std::packaged_task<std::invoke_result_t<Function>()> task(std::move(function));
  auto result = task.get_future();
  // Wrapped, because Asio treats a bare packaged_task as a completion token.
  asio::post(worker.context(), [&task] { task(); });
  return result.get();
}

class WorkersTest : public testing::Test {
 protected:
  CapturingSink log_;
};

TEST_F(WorkersTest, EachRunsOnItsOwnThread) {
  Workers workers{3, log_};
  workers.start();
  std::set<std::thread::id> threads{std::this_thread::get_id()};
  for (std::size_t i = 0; i < workers.size(); ++i) {
    EXPECT_EQ(workers[i].index(), i);
    threads.insert(on(workers[i], [] { return std::this_thread::get_id(); }));
    EXPECT_TRUE(on(workers[i], [&] { return workers[i].is_current(); }));
    EXPECT_FALSE(workers[i].is_current());
  }
  EXPECT_EQ(threads.size(), 4u);
}

TEST_F(WorkersTest, ZeroMeansOnePerCore) {
  const Workers workers{0, log_};
  EXPECT_EQ(workers.size(), std::max(1u, std::thread::hardware_concurrency()));
}

TEST_F(WorkersTest, StopIsIdempotent) {
  Workers workers{2, log_};
  workers.stop();
  workers.stop();
  workers.start();
  workers.stop();
}

TEST_F(WorkersTest, RunReturnsWhenAWorkerStops) {
  Workers workers{2, log_};
  asio::post(workers[1].context(), [&] { workers.stop(); });
  workers.run();
}

TEST_F(WorkersTest, RunReturnsWhenTheCallersOwnWorkerStops) {
  Workers workers{2, log_};
  asio::post(workers[0].context(), [&] { workers.stop(); });
  workers.run();
}

TEST_F(WorkersTest, AllWorkersMayStopConcurrently) {
  for (int round = 0; round < 20; ++round) {
    Workers workers{4, log_};
    for (std::size_t i = 0; i < workers.size(); ++i) asio::post(workers[i].context(), [&] { workers.stop(); });
    workers.start();
    std::thread other([&] { workers.stop(); });
    workers.stop();
    other.join();
  }
}

TEST_F(WorkersTest, ACoroutineMayStopTheWorkers) {
  Workers workers{2, log_};
  const auto stopper = [](Workers& all) -> Task<void> {
    co_await asio::post(co_await this_task::executor, use_task);
    all.stop();
  };
  TaskScope scope{workers[0].executor(), log_, "signals"};
  scope.spawn(stopper(workers));
  workers.run();
}

TEST_F(WorkersTest, StopDropsPendingWork) {
  auto alive = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = alive;
  {
    Workers workers{1, log_};
    const auto hang = [](std::shared_ptr<int>) -> Task<void> {
      asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
      co_await timer.async_wait(use_task);
    };
    TaskScope scope{workers[0].executor(), log_, "test"};
    scope.spawn(hang(std::move(alive)));
    workers.start();
    on(workers[0], [] {});
    workers.stop();
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST_F(WorkersTest, LogsAnExceptionOfAPostedFunctionAndContinues) {
  Workers workers{1, log_};
  asio::post(workers[0].context(), [] { throw std::runtime_error("oops"); });
  workers.start();
  EXPECT_EQ(on(workers[0], [] { return 5; }), 5);
  EXPECT_TRUE(log_.contains("worker 0 caught: oops"));
}

TEST_F(WorkersTest, TimersFireOnTheirWorker) {
  Workers workers{1, log_};
  std::promise<bool> fired;
  Timer timer(workers[0].timers(), [&] { fired.set_value(workers[0].is_current()); });
  timer.arm(Deadline::in(1ms));
  workers.start();
  EXPECT_TRUE(fired.get_future().get());
  workers.stop();
}

}  // namespace
}  // namespace fairlead::workers_test
