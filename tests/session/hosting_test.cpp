#include <gtest/gtest.h>

#include "session/conversation.hpp"

/// A session whose messages are brought to it, as over HTTP.
namespace fairlead::session::hosting_test {
namespace {

constexpr auto ask = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}})";
constexpr auto answer = R"({"jsonrpc":"2.0","id":1,"result":{"name":"a"}})";

/// Takes at once what it is given, or refuses to.
class QuickTransport final : public transport::Transport {
 public:
  Task<Result<transport::Received>> receive() override { co_return fail(ErrorKind::invalid, "nobody reads here"); }
  Task<Result<void>> send(transport::Outgoing outgoing) override {
    if (broken) co_return fail(ErrorKind::closed, "gone");
    slowly.push_back(jsonrpc::write(outgoing.message));
    co_return Result<void>();
  }
  bool send_now(transport::Outgoing& outgoing) override {
    if (!quick) return false;
    at_once.push_back(jsonrpc::write(outgoing.message));
    return true;
  }
  void close() noexcept override { closed = true; }

  bool quick = true, broken = false, closed = false;
  std::vector<std::string> at_once, slowly;
};

class Hosting : public testing::Test {
 protected:
  Hosting() { session.open(); }
  ~Hosting() override {
    session.close();
    if (!ending) end();
  }

  void end() {
    ending = true;
    boost::asio::co_spawn(io, session.end(), [this](std::exception_ptr) { ended = true; });
    settle();
  }

  void settle() {
    io.restart();
    io.poll();
  }
  void say(std::string text) {
    session.take(transport::Received(std::get<jsonrpc::Message>(*jsonrpc::read(std::move(text)))));
    settle();
  }

  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  QuickTransport transport;
  TestService service;
  Session session{Loop{io.get_executor(), timers, log}, transport, service};
  bool ending = false, ended = false;
};

TEST_F(Hosting, AnswersWhatIsBroughtToIt) {
  say(ask);
  EXPECT_EQ(transport.at_once, std::vector<std::string>{answer});
  EXPECT_TRUE(transport.slowly.empty());
}

TEST_F(Hosting, WritesInItsOwnTimeWhatCannotBeSentAtOnce) {
  transport.quick = false;
  say(ask);
  say(ask);
  EXPECT_EQ(transport.slowly, (std::vector<std::string>{answer, answer}));
  EXPECT_TRUE(transport.at_once.empty());
}

TEST_F(Hosting, EndsWhenWritingFails) {
  transport.quick = false;
  transport.broken = true;
  say(ask);
  EXPECT_TRUE(transport.closed);
}

TEST_F(Hosting, LetsHandlersEndAndSendsWhatTheyAnswered) {
  const auto gate = std::make_shared<Promise<bool>>();
  service.on_call = [&](Call& call) -> Task<Result<Reply>> {
    co_await gate->wait(false);
    co_return co_await TestService::echo(call);
  };
  say(ask);
  end();
  EXPECT_FALSE(ended);
  gate->set(true);
  settle();
  EXPECT_EQ(transport.at_once, std::vector<std::string>{answer});
  EXPECT_TRUE(ended);
  EXPECT_TRUE(transport.closed);
}

TEST_F(Hosting, CancelsHandlersWhenClosed) {
  service.on_call = [&](Call&) -> Task<Result<Reply>> {
    Promise<bool> never;
    co_await never.wait(false);
    co_return fail(ErrorKind::cancelled, "cancelled");
  };
  say(ask);
  session.close();
  end();
  EXPECT_TRUE(ended);
}

TEST_F(Hosting, IgnoresWhatComesAfterItsEnd) {
  end();
  say(ask);
  EXPECT_TRUE(transport.at_once.empty());
  EXPECT_TRUE(ended);
}

TEST_F(Hosting, CutsOffHandlersThatTakeTooLong) {
  service.on_call = [&](Call&) -> Task<Result<Reply>> {
    Promise<bool> never;
    co_await never.wait(false);
    co_return fail(ErrorKind::cancelled, "cancelled");
  };
  say(ask);
  end();
  EXPECT_FALSE(ended);
  clock.advance(std::chrono::minutes{1});
  timers.advance();
  settle();
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace fairlead::session::hosting_test
