#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/session/session.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/promise.hpp"

namespace fairlead::session {

/// A transport whose other end is the test.
class TestTransport final : public transport::Transport {
 public:
  using Item = Result<transport::Received>;

  Task<Item> receive() override {
    if (inbox_.empty()) {
      waiting_ = std::make_shared<Promise<bool>>();
      const auto woken = waiting_;
      co_await woken->wait(false);
      if (inbox_.empty()) co_return gone();
    }
    auto item = std::move(inbox_.front());
    inbox_.pop_front();
    co_return item;
  }

  Task<Result<void>> send(transport::Outgoing outgoing) override {
    if (stalled) {
      stall_ = std::make_shared<Promise<bool>>();
      const auto released = stall_;
      co_await released->wait(false);
    }
    if (broken) co_return std::unexpected(*broken);
    lines.push_back(jsonrpc::write(outgoing.message));
    related.push_back(outgoing.related_to);
    co_return Result<void>();
  }

  Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) override {
    std::string array = "[";
    for (const auto& message : messages) array += (array.size() > 1 ? "," : "") + jsonrpc::write(message);
    lines.push_back(array + "]");
    related.emplace_back();
    co_return Result<void>();
  }

  void close() noexcept override { deliver(gone()); }

  void deliver(Item item) {
    inbox_.push_back(std::move(item));
    if (waiting_) std::exchange(waiting_, nullptr)->set(true);
  }

  void release() {
    stalled = false;
    if (stall_) std::exchange(stall_, nullptr)->set(true);
  }

  static std::unexpected<Error> gone(std::string why = "") { return fail(ErrorKind::closed, std::move(why)); }

  std::vector<std::string> lines;
  std::vector<std::optional<jsonrpc::Id>> related;
  bool stalled = false;
  std::optional<Error> broken;

 private:
  std::deque<Item> inbox_;
  std::shared_ptr<Promise<bool>> waiting_;
  std::shared_ptr<Promise<bool>> stall_;
};

/// A service made of one function.
class TestService final : public Service {
 public:
  Task<Result<Reply>> call(Call& call) override {
    calls.push_back(call.method);
    if (on_call) return on_call(call);
    return echo(call);
  }
  Task<void> notify(Notice& notice) override {
    notices.push_back(notice.method);
    co_return;
  }

  std::optional<Result<Reply>> answer_now(Call& call) override {
    return on_call_now ? on_call_now(call) : std::nullopt;
  }

  static Task<Result<Reply>> echo(Call& call) {
    co_return Reply{.body = json::Payload::trusted(call.params.empty() ? "{}" : std::string(call.params.text()))};
  }

  std::function<Task<Result<Reply>>(Call&)> on_call;
  std::function<std::optional<Result<Reply>>(Call&)> on_call_now;
  std::vector<std::string> calls;
  std::vector<std::string> notices;
};

/// A session on a loop and a clock that the test turns by hand.
class Talk {
 public:
  explicit Talk(SessionOptions options = {})
      : session(Loop{io.get_executor(), timers, log}, transport, service, std::move(options)) {
    boost::asio::co_spawn(io, session.run(), [this](std::exception_ptr failure, Result<void> result) {
      failed = failure;
      ended = std::move(result);
    });
    settle();
  }

  ~Talk() {
    close();
    pass(std::chrono::hours{1});
  }

  void close() {
    on_the_loop([this] { session.close(); });
  }

  void settle() {
    io.restart();
    io.poll();
  }

  void on_the_loop(std::function<void()> action) {
    boost::asio::post(io, std::move(action));
    settle();
  }

  /// The peer says something.
  void say(std::string text) {
    auto incoming = jsonrpc::read(std::move(text));
    if (!incoming) {
      transport.deliver(transport::Received(transport::Unreadable{incoming.error()}));
    } else if (auto* message = std::get_if<jsonrpc::Message>(&*incoming)) {
      transport.deliver(transport::Received(std::move(*message)));
    } else {
      transport.deliver(transport::Received(std::move(std::get<jsonrpc::Batch>(*incoming))));
    }
    settle();
  }

  void hang_up(std::string why = "") {
    transport.deliver(TestTransport::gone(std::move(why)));
    settle();
  }

  void pass(Duration time) {
    clock.advance(time);
    on_the_loop([this] { timers.advance(); });
  }

  /// What was said to the peer since the last time this was asked.
  std::string heard() {
    std::string all;
    for (; read_ < transport.lines.size(); ++read_) all += (all.empty() ? "" : "\n") + transport.lines[read_];
    return all;
  }

  /// Calls the peer; the result is there once it has answered.
  std::shared_ptr<std::optional<Result<Reply>>> ask(Call call) {
    auto result = std::make_shared<std::optional<Result<Reply>>>();
    boost::asio::co_spawn(io, calling(session.peer(), std::move(call), result), [](std::exception_ptr) {});
    settle();
    return result;
  }

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
  static Task<void> calling(Service& peer, Call call, std::shared_ptr<std::optional<Result<Reply>>> result) {
    *result = co_await peer.call(call);
  }

  std::size_t read_ = 0;
};

}  // namespace fairlead::session
