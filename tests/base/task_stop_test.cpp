#include <boost/asio/as_tuple.hpp>
#include <fairlead/base/task_context.hpp>
#include <string>

#include "base/exceptions.hpp"
#include "base/nested_task.hpp"
#include "base/task_fixture.hpp"

namespace fairlead::task_stop_test {
namespace {

namespace asio = boost::asio;
using test::wait_forever;
using test::yield;
using TaskStop = test::TaskFixture;

TEST_F(TaskStop, AStopEndsTheWaitAndAllLaterOnes) {
  int aborted = 0;
  const auto stubborn = [](int& failures) -> Task<void> {
    for (int i = 0; i < 3; ++i) {
      try {
        co_await wait_forever();
      } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted) ++failures;
      }
    }
  };
  std::optional<TaskOutcome<void>> ended;
  begin(stubborn(aborted), ended);
  asio::post(loop, [&] { stop.request_stop(); });
  loop.run();
  EXPECT_EQ(aborted, 3);
  EXPECT_TRUE(ended && *ended);
}

TEST_F(TaskStop, AStopBeforeTheStartEndsItAtItsFirstWait) {
  int steps = 0;
  const auto step_and_wait = [](int& count) -> Task<void> {
    ++count;
    co_await asio::post(co_await this_task::executor, use_task);
    ++count;
  };
  stop.request_stop();
  const auto ended = run(step_and_wait(steps));
  EXPECT_EQ(steps, 1);
  ASSERT_TRUE(ended && !*ended);
  EXPECT_TRUE(is_cancelled(ended->error()));
}

TEST_F(TaskStop, AStopAfterTheLastWaitChangesNothing) {
  const auto stop_itself = [](StopSource& own) -> Task<int> {
    co_await yield();
    own.request_stop();
    co_return 1;
  };
  const auto ended = run(stop_itself(stop));
  EXPECT_EQ(**ended, 1);
  stop.request_stop();
}

TEST_F(TaskStop, AStopDuringTheInitiationOfAnOperationEndsIt) {
  const auto stopped_while_it_begins = [](StopSource& own) -> Task<bool> {
    asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
    const auto begin = [&](auto handler) {
      own.request_stop();
      timer.async_wait(std::move(handler));
    };
    auto wait = asio::async_initiate<const asio::as_tuple_t<UseTask>, void(boost::system::error_code)>(
        begin, asio::as_tuple(use_task));
    const auto [error] = co_await std::move(wait);
    co_return error == asio::error::operation_aborted;
  };
  EXPECT_TRUE(**run(stopped_while_it_begins(stop)));
}

TEST_F(TaskStop, AShieldedTaskWaitsAfterAStop) {
  const auto clean_up = [](StopSource& own, std::string& seen) -> Task<void> {
    own.request_stop();
    {
      const auto shield = co_await this_task::shield;
      co_await yield();
      seen += "waited ";
    }
    if ((co_await this_task::stop_token).stop_requested()) seen += "stopped";
    co_await yield();
    seen += " never";
  };
  std::string seen;
  const auto ended = run(clean_up(stop, seen));
  EXPECT_EQ(seen, "waited stopped");
  EXPECT_TRUE(is_cancelled(ended->error()));
}

TEST_F(TaskStop, ANestedTaskIsStoppedWithoutItsCaller) {
  const auto caller = []() -> Task<std::string> {
    NestedTask nested(co_await this_task::context);
    asio::post(co_await this_task::executor, [&] { nested.request_stop(); });
    try {
      co_await nested.run(wait_forever(), [] {});
    } catch (const boost::system::system_error&) {
    }
    co_await yield();
    co_return "went on";
  };
  EXPECT_EQ(**run(caller()), "went on");
}

TEST_F(TaskStop, AStopOfTheCallerReachesTheNestedTask) {
  const auto caller = [](int& stops) -> Task<void> {
    NestedTask nested(co_await this_task::context);
    const auto on_stop = [&] {
      ++stops;
      nested.request_stop();
    };
    co_await nested.run(wait_forever(), on_stop);
  };
  int stops = 0;
  std::optional<TaskOutcome<void>> ended;
  begin(caller(stops), ended);
  stop.request_stop();
  loop.run();
  EXPECT_EQ(stops, 1);
  EXPECT_TRUE(ended && !*ended && is_cancelled(ended->error()));
}

}  // namespace
}  // namespace fairlead::task_stop_test
