#include <fairlead/base/asio_task.hpp>
#include <gtest/gtest.h>

#include "session/session_fixture.hpp"

/// A session started by `open`, whose messages are passed to `on_message`.
namespace fairlead::session::open_session_test {
namespace {

constexpr auto call_line = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})";
constexpr auto answer = R"({"jsonrpc":"2.0","id":1,"result":{"name":"a"}})";

/// Accepts every message at once, or none.
class QuickTransport final : public transport::Transport {
 public:
  Task<Result<transport::Received>> receive() override { co_return fail(ErrorKind::invalid, "not used"); }
  Task<Result<void>> send(transport::Outgoing outgoing) override {
    if (!quick) return send_slowly(std::move(outgoing));
    at_once.push_back(jsonrpc::write(outgoing.message));
    return Result<void>();
  }
  Task<Result<void>> send_slowly(transport::Outgoing outgoing) {
    if (broken) co_return fail(ErrorKind::closed, "gone");
    slowly.push_back(jsonrpc::write(outgoing.message));
    co_return Result<void>();
  }
  void close() noexcept override { closed = true; }

  bool quick = true, broken = false, closed = false;
  std::vector<std::string> at_once, slowly;
};

class OpenSession : public testing::Test {
 protected:
  OpenSession() { session.open(); }
  ~OpenSession() override {
    session.close();
    if (!ending) end();
  }

  void end() {
    ending = true;
    async_start(io, session.end(), [this](std::exception_ptr) { ended = true; });
    settle();
  }

  void settle() {
    io.restart();
    io.poll();
  }
  void peer_sends(std::string text) {
    session.on_message(transport::Received(std::get<jsonrpc::Message>(*jsonrpc::read(std::move(text)))));
    settle();
  }

  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  QuickTransport transport;
  TestService service;
  Session session{EventLoop{io.get_executor(), timers, log}, transport, service};
  bool ending = false, ended = false;
};

TEST_F(OpenSession, AnswersMessages) {
  peer_sends(call_line);
  EXPECT_EQ(transport.at_once, std::vector<std::string>{answer});
  EXPECT_TRUE(transport.slowly.empty());
}

TEST_F(OpenSession, QueuesMessagesThatCannotBeSentAtOnce) {
  transport.quick = false;
  peer_sends(call_line);
  peer_sends(call_line);
  EXPECT_EQ(transport.slowly, (std::vector<std::string>{answer, answer}));
  EXPECT_TRUE(transport.at_once.empty());
}

TEST_F(OpenSession, ClosesWhenWritingFails) {
  transport.quick = false;
  transport.broken = true;
  peer_sends(call_line);
  EXPECT_TRUE(transport.closed);
}

TEST_F(OpenSession, WaitsForHandlersAndSendsTheirResponses) {
  const auto gate = std::make_shared<Promise<bool>>();
  service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    const auto is_set = co_await gate->wait();
    if (is_set) co_await next_turn;
    co_return co_await TestService::echo(call);
  };
  peer_sends(call_line);
  end();
  EXPECT_FALSE(ended);
  gate->set(true);
  settle();
  EXPECT_EQ(transport.at_once, std::vector<std::string>{answer});
  EXPECT_TRUE(ended);
  EXPECT_TRUE(transport.closed);
}

TEST_F(OpenSession, CancelsHandlersWhenClosed) {
  service.on_call = [&](Call&) -> Task<Result<Reply>> {
    Promise<bool> never;
    co_await never.wait();
    co_return fail(ErrorKind::cancelled, "cancelled");
  };
  peer_sends(call_line);
  session.close();
  end();
  EXPECT_TRUE(ended);
}

TEST_F(OpenSession, IgnoresMessagesAfterTheEnd) {
  end();
  peer_sends(call_line);
  EXPECT_TRUE(transport.at_once.empty());
  EXPECT_TRUE(ended);
}

TEST_F(OpenSession, CancelsSlowHandlers) {
  service.on_call = [&](Call&) -> Task<Result<Reply>> {
    Promise<bool> never;
    co_await never.wait();
    co_return fail(ErrorKind::cancelled, "cancelled");
  };
  peer_sends(call_line);
  end();
  EXPECT_FALSE(ended);
  clock.advance(std::chrono::minutes{1});
  timers.advance();
  settle();
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace fairlead::session::open_session_test
