#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/task_scope.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

namespace fairlead::session::session_hook_test {
namespace {

using testing::ElementsAre;

using Events = std::vector<std::string>;

/// Records its destruction.
struct Leaving final : SessionHook {
  Leaving(std::string as, Events& in) : name(std::move(as)), events(in) {}
  ~Leaving() override { events.push_back(name); }
  std::string name;
  Events& events;
};

Task<void> notify_forever(Events& events) {
  const Leaving at_the_end("the task", events);
  Promise<bool> never;
  co_await never.wait();
}

struct Telling final : Service {
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(Notification&) override { co_return; }
  std::unique_ptr<SessionHook> on_session_open(SessionRef session) override {
    session.tasks.spawn(notify_forever(events));
    return std::make_unique<Leaving>("the attendance", events);
  }
  Events events;
};

struct SessionHookTest : testing::Test {
  void turn() {
    io.restart();
    io.poll();
  }

  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  TestTransport transport;
  Telling service;
};

// A middleware gives the service a peer wrapper that is owned by the session hook.
TEST_F(SessionHookTest, OutlivesNotificationTasksOfRun) {
  Session session(EventLoop{io.get_executor(), timers, log}, transport, service);
  async_start(io, session.run(), [](const std::exception_ptr&, const Result<void>&) {});
  turn();
  EXPECT_THAT(service.events, ElementsAre());
  transport.deliver(TestTransport::closed_error());
  turn();
  EXPECT_THAT(service.events, ElementsAre("the task", "the attendance"));
}

TEST_F(SessionHookTest, OutlivesNotificationTasksOfOpen) {
  Session session(EventLoop{io.get_executor(), timers, log}, transport, service);
  session.open();
  turn();
  async_start(io, session.end(), [](const std::exception_ptr&) {});
  turn();
  clock.advance(std::chrono::minutes{1});
  timers.advance();
  turn();
  EXPECT_THAT(service.events, ElementsAre("the task", "the attendance"));
}

}  // namespace
}  // namespace fairlead::session::session_hook_test
