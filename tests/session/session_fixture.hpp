#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/session/session.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/promise.hpp"

namespace fairlead::session {

/// A transport controlled by the test.
class TestTransport final : public transport::Transport {
 public:
  using Item = Result<transport::Received>;

  Task<Item> receive() override;
  Task<Result<void>> send(transport::Outgoing outgoing) override;
  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override;
  bool coalesces_writes() const override { return true; }
  void close() noexcept override { deliver(closed_error()); }

  void deliver(Item item) {
    inbox_.push_back(std::move(item));
    if (waiting_) std::exchange(waiting_, nullptr)->set(true);
  }

  void release() {
    stalled = false;
    if (stall_) std::exchange(stall_, nullptr)->set(true);
  }

  /// Messages to the session that it has not received yet.
  std::size_t unread() const { return inbox_.size(); }

  static std::unexpected<Error> closed_error(std::string why = "") { return fail(ErrorKind::closed, std::move(why)); }

  std::vector<std::string> lines;
  std::vector<std::optional<jsonrpc::Id>> related;
  bool stalled = false;
  std::optional<Error> broken;

 private:
  std::deque<Item> inbox_;
  std::shared_ptr<Promise<bool>> waiting_;
  std::shared_ptr<Promise<bool>> stall_;
};

/// A service with one handler function.
class TestService final : public Service {
 public:
  Task<Result<Reply>> call(Call& call) override;
  Task<void> notify(Notification& notice) override;

  static Task<Result<Reply>> echo(Call& call);

  std::function<Task<void>(Notification&)> on_notify;
  std::function<Task<Result<Reply>>(Call&)> on_call;
  std::vector<std::string> calls;
  std::vector<std::string> notices;
};

/// A session on a loop and a clock driven by the test.
class SessionFixture {
 public:
  explicit SessionFixture(SessionOptions options = {});
  ~SessionFixture();

  void close() {
    run_on_loop([this] { session.close(); });
  }

  void run_ready() {
    io.restart();
    io.poll();
  }

  void run_on_loop(std::function<void()> action);

  /// The peer sends a message.
  void peer_sends(std::string text);

  void disconnect(std::string why = "") {
    transport.deliver(TestTransport::closed_error(std::move(why)));
    run_ready();
  }

  void advance(Duration time) {
    clock.advance(time);
    run_on_loop([this] { timers.advance(); });
  }

  /// Messages sent to the peer since the last call.
  std::string sent_to_peer() {
    std::string all;
    for (; read_ < transport.lines.size(); ++read_) all += (all.empty() ? "" : "\n") + transport.lines[read_];
    return all;
  }

  /// Calls the peer; the result is set once it has responded.
  std::shared_ptr<std::optional<Result<Reply>>> call_peer(Call call);

  boost::asio::io_context io;
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
  TestTransport transport;
  TestService service;
  Session session;
  std::optional<Result<void>> ended;
  std::exception_ptr failed;

 private:
  std::size_t read_ = 0;
};

}  // namespace fairlead::session
