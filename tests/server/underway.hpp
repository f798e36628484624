#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <stop_token>

#include "server/harness.hpp"

namespace fairlead::server::test {

/// A loop that the test turns, with one task on it that can be given up.
class Turned {
 public:
  void start(Task<void> task) {
    boost::asio::co_spawn(
        loop_, std::move(task),
        boost::asio::bind_cancellation_slot(signal_.slot(), [this](std::exception_ptr) { ended_ = true; }));
    poll();
  }
  void poll() {
    loop_.restart();
    loop_.poll();
  }
  void cancel() { signal_.emit(boost::asio::cancellation_type::terminal); }
  void finish() {
    loop_.restart();
    loop_.run();
  }
  bool ended() const { return ended_; }

 private:
  boost::asio::io_context loop_{1};
  boost::asio::cancellation_signal signal_;
  bool ended_ = false;
};

/// A call under way, which a test can give up on.
class Underway : public Turned {
 public:
  Underway(Server& server, session::Backchannel& back, std::string method, std::string params,
           const protocol::Revision& revision, std::string principal = {}) {
    call_.method = std::move(method);
    call_.params = json::Payload::trusted(std::move(params));
    call_.context.revision = &revision;
    call_.context.principal = std::move(principal);
    call_.context.id = 9;
    call_.context.back = &back;
    call_.context.over = over_.get_token();
    start(keep(server, call_, &reply_));
  }
  void hang_up() {
    over_.request_stop();
    poll();
  }
  const std::optional<Result<Reply>>& reply() const { return reply_; }

 private:
  static Task<void> keep(Server& server, Call& call, std::optional<Result<Reply>>* reply) {
    reply->emplace(co_await server.call(call));
  }

  std::stop_source over_;
  Call call_{.method = ""};
  std::optional<Result<Reply>> reply_;
};

/// A peer that keeps what it is told.
class FakePeer final : public session::Service {
 public:
  std::vector<std::string> told = {};

  Task<Result<Reply>> call(Call&) override { co_return fail(ErrorKind::invalid, "nothing to ask"); }
  Task<void> notify(session::Notice& notice) override {
    told.push_back(notice.method + std::string(notice.params.text()));
    co_return;
  }
};

/// A conversation that a server attends, as a session has it do, until this goes.
class Attended {
 public:
  explicit Attended(Server& server, std::uint64_t key = 1, std::string principal = {}) {
    attendance_ = server.attend({.key = key,
                                 .principal = std::move(principal),
                                 .peer = peer_,
                                 .executor = loop_.get_executor(),
                                 .tasks = tasks_});
  }
  ~Attended() {
    attendance_.reset();
    tasks_.cancel();
    poll();
  }

  /// What the peer was told since the last time this was asked.
  std::vector<std::string> heard() {
    poll();
    return std::exchange(peer_.told, {});
  }

 private:
  void poll() {
    loop_.restart();
    loop_.poll();
  }

  FakePeer peer_;
  CapturingSink log_;
  boost::asio::io_context loop_{1};
  TaskScope tasks_{loop_.get_executor(), log_, "attended"};
  std::unique_ptr<session::Attendance> attendance_;
};

/// A client that never answers.
class SilentBack final : public session::Backchannel {
 public:
  bool asked = false;

  Task<Result<Reply>> ask(std::string, json::Payload) override {
    asked = true;
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer never(executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    co_return fail(ErrorKind::cancelled, "given up");
  }
  Task<Result<void>> tell(std::string, json::Payload) override { co_return Result<void>{}; }
};

}  // namespace fairlead::server::test
