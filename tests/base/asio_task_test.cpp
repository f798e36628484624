#include <fairlead/base/asio_task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <stdexcept>
#include <string>

#include "base/exceptions.hpp"
#include "base/task_fixture.hpp"

namespace fairlead::asio_task_test {
namespace {

namespace asio = boost::asio;
using test::wait_forever;
using test::yield;
using AsioTask = test::TaskFixture;

Task<std::string> greet(std::string name) {
  co_await yield();
  if (name.empty()) throw std::runtime_error("no name");
  co_return "hello " + name;
}

asio::awaitable<std::string> greet_with_asio(std::string name) {
  const auto executor = co_await asio::this_coro::executor;
  co_await asio::post(executor, asio::use_awaitable);
  co_return co_await async_start(executor, greet(name), asio::use_awaitable);
}

TEST_F(AsioTask, ACoroutineOfAsioAwaitsATask) {
  auto greeting = asio::co_spawn(loop, greet_with_asio("you"), asio::use_future);
  loop.run();
  EXPECT_EQ(greeting.get(), "hello you");
}

TEST_F(AsioTask, ATaskAwaitsACoroutineOfAsio) {
  const auto caller = []() -> Task<std::string> {
    co_return co_await asio::co_spawn(co_await this_task::executor, greet_with_asio("you"), use_task);
  };
  EXPECT_EQ(**run(caller()), "hello you");
}

TEST_F(AsioTask, AnExceptionReachesTheCoroutineOfAsio) {
  auto greeting = asio::co_spawn(loop, greet_with_asio(""), asio::use_future);
  loop.run();
  EXPECT_THROW(greeting.get(), std::runtime_error);
}

TEST_F(AsioTask, DoesNotCompleteInsideItsInitiation) {
  bool done = false;
  asio::post(loop, [&] {
    async_start(loop, test::one(), [&](const std::exception_ptr&, int) { done = true; });
    EXPECT_FALSE(done);
  });
  loop.run();
  EXPECT_TRUE(done);
}

TEST_F(AsioTask, TheCancellationSlotStopsTheTask) {
  asio::cancellation_signal cancel;
  std::exception_ptr failure;
  const auto done = [&](std::exception_ptr thrown) { failure = std::move(thrown); };
  async_start(loop, wait_forever(), asio::bind_cancellation_slot(cancel.slot(), done));
  loop.poll();
  EXPECT_FALSE(failure);
  cancel.emit(asio::cancellation_type::terminal);
  loop.run();
  EXPECT_TRUE(is_cancelled(failure));
}

TEST_F(AsioTask, ReturnsSeveralValuesAsATuple) {
  const auto caller = []() -> Task<std::string> {
    const auto begin = [](auto handler) {
      const auto executor = asio::get_associated_executor(handler);
      asio::post(executor, [handler = std::move(handler)]() mutable {
        std::move(handler)(boost::system::error_code(), std::string("a"), 2);
      });
    };
    using Signature = void(boost::system::error_code, std::string, int);
    auto [text, number] = co_await asio::async_initiate<const UseTask&, Signature>(begin, use_task);
    co_return text + std::to_string(number);
  };
  EXPECT_EQ(**run(caller()), "a2");
}

TEST_F(AsioTask, AnErrorCodeIsThrownOrReturned) {
  const auto caller = []() -> Task<std::string> {
    asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
    asio::post(co_await this_task::executor, [&] { timer.cancel(); });
    const auto [error] = co_await timer.async_wait(asio::as_tuple(use_task));
    asio::post(co_await this_task::executor, [&] { timer.cancel(); });
    try {
      co_await timer.async_wait(use_task);
    } catch (const boost::system::system_error& thrown) {
      co_return thrown.code() == error ? "both" : "other";
    }
    co_return "none";
  };
  EXPECT_EQ(**run(caller()), "both");
}

TEST_F(AsioTask, ATaskResumesOnItsOwnLoop) {
  asio::io_context other{1};
  const auto caller = [](asio::io_context& of_the_timer, asio::io_context& own) -> Task<bool> {
    asio::steady_timer timer(of_the_timer, asio::steady_timer::duration::zero());
    co_await timer.async_wait(use_task);
    co_return own.get_executor().running_in_this_thread();
  };
  std::optional<TaskOutcome<bool>> ended;
  begin(caller(other, loop), ended);
  other.run();
  EXPECT_FALSE(ended);
  loop.run();
  ASSERT_TRUE(ended);
  EXPECT_TRUE(**ended);
}

}  // namespace
}  // namespace fairlead::asio_task_test
