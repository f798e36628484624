#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/promise.hpp"
#include "support/fake_exchange.hpp"
#include "support/fake_host.hpp"
#include "support/test_loop.hpp"

namespace fairlead::test {

/// An endpoint on a loop of its own, with a host that a test controls and requests without a connection.
template <class Endpoint>
class EndpointBench {
 public:
  using Headers = FakeExchange::Headers;
  using Make = std::function<std::unique_ptr<Endpoint>(Loop, transport::Host&)>;

  explicit EndpointBench(const Make& make) : endpoint_(make(loop_.loop(), host_)) {}
  ~EndpointBench() {
    for (const auto& exchange : exchanges_) exchange->leave();
    loop_.poll();
    loop_.run(closed(*endpoint_));
    loop_.poll();
  }

  /// A request under way: `serve` goes on while the test looks.
  struct Going {
    std::shared_ptr<FakeExchange> exchange;
    Pending<bool> done;

    FakeExchange* operator->() const { return exchange.get(); }
  };

  /// As a connection does: first without a wait, then with one.
  Going start(std::string method, std::string path, Headers headers, std::string body = {},
              std::string principal = {}) {
    auto exchange = std::make_shared<FakeExchange>(loop_.loop(), std::move(method), std::move(path), std::move(headers),
                                                   std::move(body));
    exchange->request().principal = std::move(principal);
    return start(std::move(exchange));
  }

  Going start(std::shared_ptr<FakeExchange> exchange) {
    exchanges_.push_back(exchange);
    auto done = loop_.start(served(*endpoint_, *exchange));
    loop_.poll();
    return {std::move(exchange), done};
  }

  void say(jsonrpc::Message message, std::optional<jsonrpc::Id> related_to = {}, std::size_t talk = 0) {
    const auto sent = loop_.start(host_.talk(talk).say(std::move(message), std::move(related_to)));
    loop_.poll();
  }

  TestLoop& loop() { return loop_; }
  FakeHost& host() { return host_; }
  Endpoint& endpoint() { return *endpoint_; }

 private:
  static Task<bool> closed(http::Handler& handler) {
    co_await handler.close();
    co_return true;
  }

  static Task<bool> served(http::Handler& handler, FakeExchange& exchange) {
    auto& request = exchange.request();
    std::optional<http::Response> now;
    // A test may have looked already.
    if (!request.later) now = handler.answer_now(request);
    if (now) {
      co_await exchange.respond(std::move(*now));
    } else if (request.later) {
      co_await answered_later(exchange, std::move(request.later));
    } else {
      co_await handler.serve(exchange);
    }
    co_return true;
  }

  static Task<void> answered_later(FakeExchange& exchange, std::shared_ptr<http::LaterAnswer> later) {
    const auto ready = std::make_shared<Promise<bool>>();
    const std::stop_callback left(exchange.gone(), [ready] { ready->set(false); });
    later->start([ready] { ready->set_and_yield(true); });
    const bool stays = co_await ready->wait(false);
    if (!stays) co_return;
    if (auto whole = later->whole()) {
      co_await exchange.respond(std::move(*whole));
    } else {
      co_await later->serve(exchange);
    }
  }

  TestLoop loop_;
  FakeHost host_;
  std::unique_ptr<Endpoint> endpoint_;
  std::vector<std::shared_ptr<FakeExchange>> exchanges_;
};

inline jsonrpc::Message notice(std::string method, std::string params = {}) {
  return jsonrpc::Notification{.method = std::move(method), .params = json::Payload::trusted(std::move(params))};
}

inline jsonrpc::Message result(jsonrpc::Id id, std::string body = "{}") {
  return jsonrpc::Response{std::move(id), json::Payload::trusted(std::move(body))};
}

}  // namespace fairlead::test
