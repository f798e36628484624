#include <fairlead/base/with_deadline.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>

namespace fairlead::with_deadline_test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

using Text = Result<std::string>;

Task<Text> answer(std::string text) {
  co_await asio::post(co_await this_task::executor, use_task);
  co_return text;
}

Task<Text> answer_at_once(std::string text) {
  co_return text;
}

Task<Text> hang() {
  asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(use_task);
  co_return "unreachable";
}

// As most of our code does: what the cancellation broke is reported as a value.
Task<Text> hang_then_return(Text last_result) {
  asio::steady_timer timer(co_await this_task::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::as_tuple(use_task));
  co_return last_result;
}

Task<Text> explode() {
  co_await asio::post(co_await this_task::executor, use_task);
  throw std::runtime_error("bug");
}

class WithDeadlineTest : public testing::Test {
 protected:
  void start(Task<Text> task) {
    async_start(loop_, std::move(task), [this](const std::exception_ptr& failure, Text result) {
      failure_ = failure;
      if (!failure) result_ = std::move(result);
    });
    poll();
  }
  void poll() {
    loop_.restart();
    loop_.poll();
  }
  void pass(Duration time) {
    clock_.advance(time);
    asio::post(loop_, [this] { wheel_.advance(); });
    poll();
  }
  Deadline in(Duration time) { return Deadline::in(time, clock_); }

  ManualClock clock_;
  TimerWheel wheel_{clock_};
  asio::io_context loop_{1};
  CapturingSink log_;
  std::optional<Text> result_;
  std::exception_ptr failure_;
};

TEST_F(WithDeadlineTest, ReturnsTheResult) {
  start(with_deadline(wheel_, in(1s), answer("hello")));
  ASSERT_TRUE(result_);
  EXPECT_EQ(*result_, Text("hello"));
  EXPECT_EQ(wheel_.armed(), 0u);
}

TEST_F(WithDeadlineTest, ReturnsAResultThatNeverSuspended) {
  start(with_deadline(wheel_, in(1s), answer_at_once("hello")));
  ASSERT_TRUE(result_);
  EXPECT_EQ(*result_, Text("hello"));
}

TEST_F(WithDeadlineTest, ReturnsTimeoutAndCancelsTheOperation) {
  start(with_deadline(wheel_, in(1s), hang()));
  pass(990ms);
  EXPECT_FALSE(result_);
  pass(10ms);
  ASSERT_TRUE(result_);
  ASSERT_FALSE(*result_);
  EXPECT_EQ(result_->error().kind, ErrorKind::timeout);
}

TEST_F(WithDeadlineTest, ReturnsTimeoutWhateverTheCancelledOperationReturns) {
  start(with_deadline(wheel_, in(1s), hang_then_return(fail(ErrorKind::closed, "aborted"))));
  pass(1s);
  ASSERT_TRUE(result_);
  EXPECT_EQ(result_->error().kind, ErrorKind::timeout);
}

TEST_F(WithDeadlineTest, ReturnsAResultThatArrivedInSpiteOfTheDeadline) {
  start(with_deadline(wheel_, in(1s), hang_then_return("just in time")));
  pass(1s);
  ASSERT_TRUE(result_);
  EXPECT_EQ(*result_, Text("just in time"));
}

TEST_F(WithDeadlineTest, ReturnsFailures) {
  const auto refuse = []() -> Task<Text> { co_return fail(ErrorKind::refused, "no"); };
  start(with_deadline(wheel_, in(1s), refuse()));
  ASSERT_TRUE(result_);
  EXPECT_EQ(result_->error().kind, ErrorKind::refused);
}

TEST_F(WithDeadlineTest, RethrowsExceptions) {
  start(with_deadline(wheel_, in(1s), explode()));
  EXPECT_FALSE(result_);
  EXPECT_THROW(std::rethrow_exception(failure_), std::runtime_error);
}

TEST_F(WithDeadlineTest, NeverArmsNoTimer) {
  start(with_deadline(wheel_, Deadline::never(), hang()));
  EXPECT_EQ(wheel_.armed(), 0u);
  pass(1000h);
  EXPECT_FALSE(result_);
}

TEST_F(WithDeadlineTest, ReturnsCancelledWhenTheCallerIsCancelled) {
  TaskScope scope{loop_.get_executor(), log_, "test"};
  const auto caller = [](TimerWheel& wheel, Deadline deadline, std::optional<Text>& result) -> Task<void> {
    result = co_await with_deadline(wheel, deadline, hang());
  };
  scope.spawn(caller(wheel_, in(1s), result_));
  poll();
  scope.cancel();
  poll();
  ASSERT_TRUE(result_);
  EXPECT_EQ(result_->error().kind, ErrorKind::cancelled);
  EXPECT_EQ(scope.count(), 0u);
  EXPECT_EQ(wheel_.armed(), 0u);
}

TEST_F(WithDeadlineTest, NestedDeadlinesUseTheEarlierOne) {
  start(with_deadline(wheel_, in(5s), with_deadline(wheel_, in(1s), hang())));
  pass(1s);
  ASSERT_TRUE(result_);
  EXPECT_EQ(result_->error().kind, ErrorKind::timeout);
  EXPECT_EQ(wheel_.armed(), 0u);
}

TEST_F(WithDeadlineTest, ExtendPostponesAnIdleDeadline) {
  IdleDeadline idle(1s, 1min, clock_);
  start(with_deadline(wheel_, idle, hang()));
  for (int i = 0; i < 5; ++i) {
    pass(900ms);
    idle.extend();
  }
  EXPECT_FALSE(result_);
  pass(1s);
  ASSERT_TRUE(result_);
  EXPECT_EQ(result_->error().kind, ErrorKind::timeout);
}

TEST_F(WithDeadlineTest, ExtendStopsAtTheCap) {
  IdleDeadline idle(1s, 3s, clock_);
  start(with_deadline(wheel_, idle, hang()));
  for (int i = 0; i < 6; ++i) {
    EXPECT_FALSE(result_) << i;
    pass(500ms);
    idle.extend();
  }
  ASSERT_TRUE(result_);
  EXPECT_EQ(result_->error().kind, ErrorKind::timeout);
}

TEST_F(WithDeadlineTest, MayBeDestroyedWithItsLoopWhileItWaits) {
  {
    asio::io_context loop{1};
    async_start(loop, with_deadline(wheel_, in(1s), hang()), [](const std::exception_ptr&, const Text&) {});
    loop.poll();
    EXPECT_EQ(wheel_.armed(), 1u);
  }
  EXPECT_EQ(wheel_.armed(), 0u);
}

}  // namespace
}  // namespace fairlead::with_deadline_test
