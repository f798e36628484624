#include <fairlead/base/task_scope.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "session/conversation.hpp"

namespace fairlead::session::attendance_test {
namespace {

using testing::ElementsAre;

using Events = std::vector<std::string>;

/// Writes down when it goes.
struct Leaving final : Attendance {
  Leaving(std::string as, Events& in) : name(std::move(as)), events(in) {}
  ~Leaving() override { events.push_back(name); }
  std::string name;
  Events& events;
};

Task<void> tell_for_ever(Events& events) {
  const Leaving at_the_end("the task", events);
  Promise<bool> never;
  co_await never.wait(false);
}

struct Telling final : Service {
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(Notice&) override { co_return; }
  std::unique_ptr<Attendance> attend(Conversation conversation) override {
    conversation.tasks.spawn(tell_for_ever(events));
    return std::make_unique<Leaving>("the attendance", events);
  }
  Events events;
};

struct AttendanceTest : testing::Test {
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

// Whoever stands in between gives the peer a wrapping that lives in the attendance.
TEST_F(AttendanceTest, OutlivesTheTasksThatTellThePeerSomething) {
  Session session(Loop{io.get_executor(), timers, log}, transport, service);
  boost::asio::co_spawn(io, session.run(), [](const std::exception_ptr&, const Result<void>&) {});
  turn();
  EXPECT_THAT(service.events, ElementsAre());
  transport.deliver(TestTransport::gone());
  turn();
  EXPECT_THAT(service.events, ElementsAre("the task", "the attendance"));
}

TEST_F(AttendanceTest, OutlivesThemToWhereMessagesAreBrought) {
  Session session(Loop{io.get_executor(), timers, log}, transport, service);
  session.open();
  turn();
  boost::asio::co_spawn(io, session.end(), [](const std::exception_ptr&) {});
  turn();
  clock.advance(std::chrono::minutes{1});
  timers.advance();
  turn();
  EXPECT_THAT(service.events, ElementsAre("the task", "the attendance"));
}

}  // namespace
}  // namespace fairlead::session::attendance_test
