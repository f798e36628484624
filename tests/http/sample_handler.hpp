#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <stdexcept>
#include <stop_token>
#include <string>

#include "base/async_event.hpp"

namespace fairlead::test {

/// Events seen by the handlers of all workers.
struct HandlerLog {
  std::atomic<int> served = 0;
  std::atomic<int> gone = 0;
  std::atomic<int> write_failed = 0;
  std::atomic<int> made = 0;
  std::atomic<int> destroyed = 0;
};

inline Task<void> until_gone(http::Exchange& exchange) {
  AsyncEvent bell(exchange.loop().executor);
  const auto ring = [&bell] { bell.notify(); };
  const std::stop_callback on_gone(exchange.stop_token(), ring);
  while (!exchange.stop_token().stop_requested()) co_await bell.wait();
}

inline Task<void> next_turn(http::Exchange& exchange) {
  co_await boost::asio::post(exchange.loop().executor, use_task);
}

/// The rest of the path selects the kind of response.
class SampleLater final : public http::LaterAnswer, public std::enable_shared_from_this<SampleLater> {
 public:
  SampleLater(HandlerLog& seen, boost::asio::any_io_executor executor, std::string_view how, std::string body)
      : seen_(seen), executor_(std::move(executor)), how_(how), body_(std::move(body)) {}
  SampleLater(const SampleLater&) = delete;
  SampleLater& operator=(const SampleLater&) = delete;
  ~SampleLater() override { ++seen_.gone; }

  void start(std::function<void()> ready) override {
    ++seen_.served;
    if (how_ == "throw") throw std::runtime_error("broken on purpose");
    if (how_ == "now") return ready();
    if (how_ == "never") return;
    boost::asio::post(executor_, [self = weak_from_this(), ready = std::move(ready)] {
      if (!self.expired()) ready();
    });
  }
  std::optional<http::Response> whole() override {
    if (how_ == "stream") return std::nullopt;
    return http::Response{.content_type = "text/plain",
                          .body = how_ == "large" ? std::string(30'000'000, 'z') : how_ + " " + body_};
  }
  Task<void> serve(http::Exchange& exchange) override {
    http::Response head{.content_type = "text/plain", .body = "begun "};
    co_await exchange.begin(std::move(head));
    co_await next_turn(exchange);
    co_await exchange.write(how_);
    co_await exchange.end();
  }

 private:
  HandlerLog& seen_;
  boost::asio::any_io_executor executor_;
  std::string how_;
  std::string body_;
};

/// One behaviour per path.
class SampleHandler final : public http::Handler {
 public:
  SampleHandler(HandlerLog& seen, std::size_t worker, boost::asio::any_io_executor executor = {})
      : seen_(seen), worker_(worker), executor_(std::move(executor)) {
    ++seen_.made;
  }
  SampleHandler(const SampleHandler&) = delete;
  SampleHandler& operator=(const SampleHandler&) = delete;
  ~SampleHandler() override { ++seen_.destroyed; }

  std::optional<http::Response> answer_now(http::Request& request) override {
    if (request.path == "/now") return text(request.method == "POST" ? request.body : "now");
    if (request.path == "/who") return text(request.principal);
    if (request.path == "/large") return text(std::string(3'000'000, 'x'));
    if (request.path == "/forged") return http::Response{.headers = {{"A", "b\r\nC: d"}, {"bad name", "e"}}};
    if (request.path == "/throw-now") throw std::runtime_error("broken on purpose");
    if (request.path.starts_with("/home-now")) return text("worker " + std::to_string(worker_));
    if (request.path == "/nothing") return http::Response{.status = 204};
    constexpr std::string_view later_prefix = "/soon/";
    if (request.path.starts_with(later_prefix)) {
      const auto how = request.path.substr(later_prefix.size());
      request.later = std::make_shared<SampleLater>(seen_, executor_, how, std::move(request.body));
    }
    return std::nullopt;
  }

  std::optional<std::size_t> preferred_worker(const http::Request& request) const override {
    if (!request.path.starts_with("/home")) return std::nullopt;
    return static_cast<std::size_t>(request.path.back() - '0');
  }

  Task<void> serve(http::Exchange& exchange) override {
    ++seen_.served;
    const std::string path(exchange.request().path);
    if (path == "/later" || path.starts_with("/home")) co_await later(exchange);
    if (path == "/stream") co_await stream(exchange);
    if (path == "/flood") co_await flood(exchange);
    if (path == "/half") co_await half(exchange);
    if (path == "/wait") co_await until_gone(exchange);
    if (path == "/events") co_await events(exchange);
    if (path == "/throw") throw std::runtime_error("broken on purpose");
    if (path == "/ws") co_await echo(exchange);
    if (exchange.stop_token().stop_requested()) ++seen_.gone;
  }

 private:
  static http::Response text(std::string body) { return {.content_type = "text/plain", .body = std::move(body)}; }

  Task<void> later(http::Exchange& exchange) {
    co_await next_turn(exchange);
    auto response = text("worker " + std::to_string(worker_) + " " + exchange.request().body);
    co_await exchange.respond(std::move(response));
  }
  static Task<void> stream(http::Exchange& exchange) {
    auto head = text("one ");
    co_await exchange.begin(std::move(head));
    co_await next_turn(exchange);
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
  boost::asio::any_io_executor executor_;
};

}  // namespace fairlead::test
