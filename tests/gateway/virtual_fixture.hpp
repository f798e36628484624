#pragma once

#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/registry.hpp>

#include "base/bell.hpp"
#include "gateway/chain_fixture.hpp"

namespace fairlead::gateway::test {

/// A chain on a loop whose time the test makes pass.
struct VirtualTest : testing::Test {
  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  Echo server;
  TaskScope calls{io.get_executor(), log, "test"};

  // Whoever still waits would wait for ever.
  void TearDown() override {
    calls.cancel();
    settle();
  }

  using Answer = std::shared_ptr<std::optional<Result<Reply>>>;

  Loop loop() { return {io.get_executor(), timers, log}; }

  /// As configuration would make it.
  Chain step(std::string_view name, ArgumentList arguments) {
    auto made = Registry::standard().make(name, std::move(arguments), loop());
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made)));
  }

  std::string complaint(std::string_view name, ArgumentList arguments) {
    const auto made = Registry::standard().make(name, std::move(arguments), loop());
    return made ? "" : made.error().message;
  }

  Answer start(std::shared_ptr<Service> service, Call call) {
    auto answer = std::make_shared<std::optional<Result<Reply>>>();
    calls.spawn(calling(std::move(service), std::move(call), answer));
    settle();
    return answer;
  }

  /// The body of an answer that comes at once, or the error's text behind a "!"; "…" if it does not.
  std::string text(const std::shared_ptr<Service>& service, Call call) {
    return shown(start(service, std::move(call)));
  }
  static std::string shown(const Answer& answer) {
    if (!*answer) return "…";
    return **answer ? std::string((**answer)->body.text()) : "!" + (*answer)->error().message;
  }

  void settle() {
    io.restart();
    io.poll();
  }
  void pass(Duration time) {
    clock.advance(time);
    boost::asio::post(io, [this] { timers.advance(); });
    settle();
  }

  /// A server that answers with an error.
  void fail_with(Error error) {
    server.on_call = [error](Call&) { return failing(error); };
  }
  static Task<Result<Reply>> failing(Error error) { co_return std::unexpected(error); }
  /// Waits for something that does not come.
  Task<Result<Reply>> never() {
    while (true) co_await nothing_.wait();
  }
  static Task<Result<Reply>> answering(std::string body) { co_return reply(std::move(body)); }

 private:
  static Task<void> calling(std::shared_ptr<Service> service, Call call, Answer answer) {
    *answer = co_await service->call(call);
  }

  Bell nothing_{io.get_executor()};
};

}  // namespace fairlead::gateway::test
