#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "base/async_event.hpp"
#include "base/scope_exit.hpp"

namespace fairlead::test {

/// Events seen by the handlers of all workers.
struct HandlerLog {
  std::atomic<int> served = 0;
  std::atomic<int> gone = 0;
  std::atomic<int> write_failed = 0;
  std::atomic<int> made = 0;
  std::atomic<int> destroyed = 0;
  std::atomic<bool> released = false;  ///< Set by the test: `/soon/held` waits for it.
};

inline Task<void> until_gone(http::Exchange& exchange) {
  AsyncEvent bell(exchange.loop().executor);
  const auto ring = [&bell] { bell.notify(); };
  const std::stop_callback on_gone(exchange.stop_token(), ring);
  while (!exchange.stop_token().stop_requested()) co_await bell.wait();
}

inline Task<void> next_turn() {
  const auto executor = co_await this_task::executor;
  co_await boost::asio::post(executor, use_task);
}

/// One behaviour per path.
class SampleHandler final : public http::Handler {
 public:
  SampleHandler(HandlerLog& seen, std::size_t worker) : seen_(seen), worker_(worker) { ++seen_.made; }
  SampleHandler(const SampleHandler&) = delete;
  SampleHandler& operator=(const SampleHandler&) = delete;
  ~SampleHandler() override { ++seen_.destroyed; }

  Task<http::Response> handle(http::Request& request) override {
    if (request.path == "/now") return text(request.method == "POST" ? request.body : "now");
    if (request.path == "/who") return text(request.principal);
    if (request.path == "/8k") return text(std::string(8000, 'x'));
    if (request.path == "/large") return text(std::string(3'000'000, 'x'));
    if (request.path == "/forged") return http::Response{.headers = {{"A", "b\r\nC: d"}, {"bad name", "e"}}};
    if (request.path == "/throw-now") throw std::runtime_error("broken on purpose");
    if (request.path.starts_with("/home-now")) return text(name());
    if (request.path == "/nothing") return http::Response{.status = 204};
    if (request.path.starts_with(soon_prefix)) return answer_soon(request);
    if (request.path.starts_with("/home")) return answer_at_home(request);
    return http::streamed([this](http::Exchange& exchange) { return serve(exchange); });
  }

  std::optional<std::size_t> preferred_worker(const http::Request& request) const override {
    if (!request.path.starts_with("/home")) return std::nullopt;
    return static_cast<std::size_t>(request.path.back() - '0');
  }

 private:
  static constexpr std::string_view soon_prefix = "/soon/";

  static http::Response text(std::string body) { return {.content_type = "text/plain", .body = std::move(body)}; }

  std::string name() const { return "worker " + std::to_string(worker_); }

  /// The rest of the path selects the kind of response.
  Task<http::Response> answer_soon(http::Request& request) {
    ++seen_.served;
    const ScopeExit at_end([this] { ++seen_.gone; });
    // Views, to check that they are valid after a wait.
    const auto how = request.path.substr(soon_prefix.size());
    const auto tag = request.header("X-Tag").value_or("");
    if (how == "throw-now") throw std::runtime_error("broken on purpose");
    if (how == "now") co_return text("now " + request.body);
    co_await next_turn();
    if (how == "throw") throw std::runtime_error("broken on purpose");
    if (how == "abort") throw boost::system::system_error(boost::asio::error::operation_aborted);
    if (how == "never") co_await never();
    while (how == "held" && !seen_.released) co_await next_turn();
    if (how == "stream") co_return http::streamed([](http::Exchange& exchange) { return stream_soon(exchange); });
    if (how == "large") co_return text(std::string(30'000'000, 'z'));
    co_return text(std::string(how) + " " + std::string(tag) + request.body);
  }
  static Task<void> never() {
    AsyncEvent event(co_await this_task::executor);
    while (true) co_await event.wait();
  }
  static Task<void> stream_soon(http::Exchange& exchange) {
    auto head = text("begun ");
    co_await exchange.begin(std::move(head));
    co_await next_turn();
    co_await exchange.write("stream");
    co_await exchange.end();
  }
  Task<http::Response> answer_at_home(http::Request& request) {
    ++seen_.served;
    co_await next_turn();
    co_return text(name() + " " + request.body);
  }

  Task<void> serve(http::Exchange& exchange) {
    ++seen_.served;
    const std::string path(exchange.request().path);
    if (path == "/later") co_await later(exchange);
    if (path == "/stream") co_await stream(exchange);
    if (path == "/flood") co_await flood(exchange);
    if (path == "/half") co_await half(exchange);
    if (path == "/wait") co_await until_gone(exchange);
    if (path == "/events") co_await events(exchange);
    if (path == "/throw") throw std::runtime_error("broken on purpose");
    if (path == "/ws") co_await echo(exchange);
    if (exchange.stop_token().stop_requested()) ++seen_.gone;
  }

  Task<void> later(http::Exchange& exchange) {
    co_await next_turn();
    auto response = text(name() + " " + exchange.request().body);
    co_await exchange.respond(std::move(response));
  }
  static Task<void> stream(http::Exchange& exchange) {
    auto head = text("one ");
    co_await exchange.begin(std::move(head));
    co_await next_turn();
    co_await exchange.write("two ");
    co_await exchange.write("");
    co_await exchange.write("three");
    co_await exchange.end();
  }
  Task<void> flood(http::Exchange& exchange) {
    auto head = text("");
    co_await exchange.begin(std::move(head));
    const std::string piece(100'000, 'y');
    for (int i = 0; i < 200; ++i) {
      const auto written = co_await exchange.write(piece);
      if (written) continue;
      ++seen_.write_failed;
      co_return;
    }
    co_await exchange.end();
  }
  static Task<void> half(http::Exchange& exchange) {
    auto head = text("half");
    co_await exchange.begin(std::move(head));
  }
  static Task<void> events(http::Exchange& exchange) {
    http::Response head{.content_type = "text/event-stream", .body = ": hello\n\n"};
    co_await exchange.begin(std::move(head));
    co_await until_gone(exchange);
    co_await exchange.end();
  }
  static Task<void> echo(http::Exchange& exchange) {
    http::WebSocketOptions options{.subprotocols = {"mcp"}};
    auto socket = co_await exchange.upgrade(std::move(options));
    while (socket) {
      auto message = co_await (*socket)->receive();
      if (!message) break;
      co_await (*socket)->send(*message);
    }
  }

  HandlerLog& seen_;
  std::size_t worker_;
};

}  // namespace fairlead::test
