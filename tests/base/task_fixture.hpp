#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/start_task.hpp>
#include <gtest/gtest.h>
#include <optional>
#include <utility>

namespace fairlead::test {

inline Task<int> one() {
  co_return 1;
}
inline Task<void> yield() {
  co_await boost::asio::post(co_await this_task::executor, use_task);
}
inline Task<void> wait_forever() {
  boost::asio::steady_timer timer(co_await this_task::executor, boost::asio::steady_timer::time_point::max());
  co_await timer.async_wait(use_task);
}

/// Starts tasks on a loop that the test runs.
struct TaskFixture : testing::Test {
  template <class T>
  void begin(Task<T> task, std::optional<TaskOutcome<T>>& ended) {
    const auto keep = [&ended](TaskOutcome<T> outcome) { ended = std::move(outcome); };
    start(loop.get_executor(), std::move(task), keep, &stop);
  }
  template <class T>
  std::optional<TaskOutcome<T>> run(Task<T> task) {
    std::optional<TaskOutcome<T>> ended;
    begin(std::move(task), ended);
    loop.restart();
    loop.run();
    return ended;
  }

  boost::asio::io_context loop{1};
  StopSource stop;
};

}  // namespace fairlead::test
