#pragma once

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/session/service.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bell.hpp"

namespace fairlead::gateway::test {

/// A task that was started: what came of it, and a way to give up on it.
template <class T>
struct Started {
  std::optional<T> value = {};
  std::exception_ptr thrown = {};
  boost::asio::cancellation_signal stop = {};

  bool done() const { return value || thrown; }
};

/// A loop and a clock that the test turns by hand.
class ManualLoop {
 public:
  Loop loop() { return {io_.get_executor(), wheel_, log_}; }
  CapturingSink& log() { return log_; }

  template <class T>
  std::shared_ptr<Started<T>> start(Task<T> task) {
    auto started = std::make_shared<Started<T>>();
    const auto done = [started](std::exception_ptr thrown, T value) {
      started->thrown = std::move(thrown);
      if (!started->thrown) started->value.emplace(std::move(value));
    };
    boost::asio::co_spawn(io_, std::move(task), boost::asio::bind_cancellation_slot(started->stop.slot(), done));
    poll();
    return started;
  }
  template <class T>
  void give_up(const std::shared_ptr<Started<T>>& started) {
    boost::asio::post(io_, [started] { started->stop.emit(boost::asio::cancellation_type::all); });
    poll();
  }
  void run(Task<void> task) {
    bool done = false;
    boost::asio::co_spawn(io_, std::move(task), [&done](const std::exception_ptr& thrown) {
      done = true;
      if (thrown) std::rethrow_exception(thrown);
    });
    for (int i = 0; i < 10 && !done; ++i) pass(std::chrono::hours{1});
    EXPECT_TRUE(done);
  }

  void poll() {
    io_.restart();
    io_.poll();
  }
  void pass(Duration time) {
    clock_.advance(time);
    boost::asio::post(io_, [this] { wheel_.advance(); });
    poll();
  }
  boost::asio::io_context& io() { return io_; }

 private:
  ManualClock clock_;
  boost::asio::io_context io_{1};
  TimerWheel wheel_{clock_};
  CapturingSink log_;
};

/// A caller's end of a call: asked and told by the test's will.
class FakeBack final : public session::Backchannel {
 public:
  explicit FakeBack(boost::asio::any_io_executor executor) : answered_(std::move(executor)) {}

  Task<Result<session::Reply>> ask(std::string method, json::Payload) override {
    asked.push_back(std::move(method));
    while (!answer) co_await answered_.wait();
    co_return session::Reply{.body = json::Payload::trusted(*answer)};
  }
  Task<Result<void>> tell(std::string method, json::Payload params) override {
    tell_now(method, params);
    co_return Result<void>();
  }
  bool tell_now(std::string_view method, const json::Payload& params) override {
    told.push_back(std::string(method) + " " + std::string(params.text()));
    return true;
  }

  void reply(std::string with) {
    answer = std::move(with);
    answered_.ring();
  }

  std::vector<std::string> asked = {};
  std::vector<std::string> told = {};
  std::optional<std::string> answer = {};

 private:
  Bell answered_;
};

/// A call as a client of that revision makes it.
inline session::Call call_in(std::string_view revision, std::string method, std::string params = "{}") {
  session::Call call{.method = std::move(method), .params = json::Payload::trusted(std::move(params))};
  call.context.revision = protocol::find_revision(revision);
  return call;
}

}  // namespace fairlead::gateway::test
