#pragma once

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "integration/sample_tools.hpp"

/// A client session and a server session over any transport, and a client script.
namespace fairlead::test {

using session::Call;
using session::Reply;
using Outcome = std::optional<Result<Reply>>;

struct SessionLoop {
  boost::asio::io_context io{1};
  TimerWheelDriver driver{io.get_executor()};
  CapturingSink log;

  EventLoop loop() { return {io.get_executor(), driver.wheel(), log}; }
};

/// The client's service: returns its roots.
class RootsService final : public session::Service {
 public:
  Task<Result<Reply>> call(Call&) override {
    co_return Reply{.body = json::Payload::trusted(R"({"roots":[{"uri":"file:///home"}]})")};
  }
  Task<void> notify(session::Notification&) override { co_return; }
};

inline Call tool_call(const std::string& name, const std::string& arguments = "{}") {
  return {.method = "tools/call",
          .params = json::Payload::trusted(R"({"name":")" + name + R"(","arguments":)" + arguments + "}")};
}

/// A running client session and, unless the server is in another process, a server session.
class SessionPair {
 public:
  SessionPair(SessionLoop& loop, transport::Transport& client, transport::Transport* server, session::Service& app)
      : loop_(loop), client_(loop.loop(), client, roots_, client_options()) {
    if (server != nullptr) server_.emplace(loop.loop(), *server, app, server_options());
    running_ = server != nullptr ? 2 : 1;
    start(client_);
    if (server_) start(*server_);
  }

  session::Session& client() { return client_; }
  /// Runs the loop until both sessions have ended and `also` is set. Returns false after 60 seconds.
  bool ends(const bool& also) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    const auto over = [&] { return running_ == 0 && also; };
    loop_.io.restart();
    while (!over() && std::chrono::steady_clock::now() < deadline) loop_.io.run_one_for(std::chrono::seconds{1});
    return over();
  }

 private:
  static session::SessionOptions client_options() {
    session::SessionOptions options;
    options.side = session::Side::client;
    options.drain_timeout = std::chrono::milliseconds{20};
    return options;
  }
  static session::SessionOptions server_options() {
    session::SessionOptions options;
    options.drain_timeout = std::chrono::milliseconds{20};
    return options;
  }
  void start(session::Session& session) {
    async_start(loop_.io, session.run(), [this](const std::exception_ptr& thrown, const Result<void>&) {
      if (!thrown) --running_;
    });
  }

  SessionLoop& loop_;
  RootsService roots_;
  session::Session client_;
  std::optional<session::Session> server_;
  int running_ = 0;
};

/// A client script with concurrent calls, and the outcome of each.
class ClientScript {
 public:
  ClientScript(SessionLoop& loop, session::Session& client) : executor_(loop.io.get_executor()), session_(client) {
    async_start(executor_, run(), [this](const std::exception_ptr& thrown) { over = !thrown; });
  }

  Outcome initialized, echoed, requested, waited, pinged;
  bool over = false;

  /// Whether all calls had the outcome of an undisturbed session.
  bool untouched() const {
    return *initialized && *echoed && *requested && *pinged && waited->error().kind == ErrorKind::cancelled;
  }

 private:
  Task<void> run() {
    Call opening{
        .method = "initialize",
        .params = json::Payload::trusted(
            R"({"protocolVersion":"2025-06-18","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}})")};
    initialized = co_await session_.peer().call(opening);
    session_.adopt(*protocol::find_revision("2025-06-18"), {});
    session::Notification ready{.method = "notifications/initialized"};
    co_await session_.peer().notify(ready);
    start(tool_call("wait"), waited, give_up_.slot());
    start(tool_call("ask"), requested, {});
    Call echo = tool_call("echo", R"({"text":")" + std::string(1000, 'x') + "\"}");
    echoed = co_await session_.peer().call(echo);
    while (!requested) co_await turn();
    give_up_.emit(boost::asio::cancellation_type::all);
    while (!waited) co_await turn();
    Call ping{.method = "ping"};
    pinged = co_await session_.peer().call(ping);
    session_.close();
  }

  void start(Call call, Outcome& outcome, boost::asio::cancellation_slot slot) {
    auto done = [&outcome](const std::exception_ptr& thrown, Result<Reply> reply) {
      if (!thrown) outcome = std::move(reply);
    };
    async_start(executor_, send_request(session_, std::move(call)),
                boost::asio::bind_cancellation_slot(slot, std::move(done)));
  }
  static Task<Result<Reply>> send_request(session::Session& session, Call call) {
    co_return co_await session.peer().call(call);
  }

  Task<void> turn() {
    boost::asio::steady_timer timer(executor_, std::chrono::milliseconds{1});
    co_await timer.async_wait(use_task);
  }

  boost::asio::any_io_executor executor_;
  session::Session& session_;
  boost::asio::cancellation_signal give_up_;
};

}  // namespace fairlead::test
