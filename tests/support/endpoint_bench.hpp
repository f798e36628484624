#pragma once

#include <boost/system/system_error.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/nested_task.hpp"
#include "support/fake_exchange.hpp"
#include "support/fake_session_factory.hpp"
#include "support/test_loop.hpp"

namespace fairlead::test {

/// An endpoint with a fake session factory and requests without a connection.
template <class Endpoint>
class EndpointBench {
 public:
  using Headers = FakeExchange::Headers;
  using Make = std::function<std::unique_ptr<Endpoint>(EventLoop, transport::SessionFactory&)>;

  explicit EndpointBench(const Make& make) : endpoint_(make(loop_.loop(), factory_)) {}
  ~EndpointBench() {
    for (const auto& exchange : exchanges_) exchange->leave();
    loop_.poll();
    loop_.run(closed(*endpoint_));
    loop_.poll();
  }

  /// An active request: its task runs while the test inspects it.
  struct ActiveRequest {
    std::shared_ptr<FakeExchange> exchange;
    Pending<bool> done;

    FakeExchange* operator->() const { return exchange.get(); }
  };

  ActiveRequest start(std::string method, std::string path, Headers headers, std::string body = {},
                      std::string principal = {}) {
    auto exchange = std::make_shared<FakeExchange>(loop_.loop(), std::move(method), std::move(path), std::move(headers),
                                                   std::move(body));
    exchange->request().principal = std::move(principal);
    return start(std::move(exchange));
  }

  ActiveRequest start(std::shared_ptr<FakeExchange> exchange) {
    exchanges_.push_back(exchange);
    auto done = loop_.start(served(*endpoint_, *exchange));
    loop_.poll();
    return {std::move(exchange), done};
  }

  void send_to_client(jsonrpc::Message message, std::optional<jsonrpc::Id> related_request = {},
                      std::size_t session = 0) {
    const auto sent = loop_.start(factory_.session(session).send(std::move(message), std::move(related_request)));
    loop_.poll();
  }

  TestLoop& loop() { return loop_; }
  FakeSessionFactory& factory() { return factory_; }
  Endpoint& endpoint() { return *endpoint_; }

 private:
  static Task<bool> closed(http::Handler& handler) {
    co_await handler.close();
    co_return true;
  }

  // As a connection does: the task of a request whose client disconnects is stopped, a stream is told.
  static Task<bool> served(http::Handler& handler, FakeExchange& exchange) {
    NestedTask nested(co_await this_task::context);
    std::optional<http::Response> response;
    const auto gone = exchange.stop_token();
    {
      const std::stop_callback left(gone, [&nested] { nested.request_stop(); });
      auto handling = handled(handler, exchange, response);
      co_await nested.run(std::move(handling), [&nested] { nested.request_stop(); });
    }
    if (!response || gone.stop_requested()) co_return true;
    if (response->stream) {
      co_await response->stream->send(exchange);
    } else {
      co_await exchange.respond(std::move(*response));
    }
    co_return true;
  }

  static Task<void> handled(http::Handler& handler, FakeExchange& exchange, std::optional<http::Response>& response) {
    try {
      response = co_await handler.handle(exchange.request());
    } catch (const boost::system::system_error&) {
      // Stopped.
    }
  }

  TestLoop loop_;
  FakeSessionFactory factory_;
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
