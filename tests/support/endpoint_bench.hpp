#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

  /// An active request: it is served while the test inspects it.
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
    auto done = loop_.start(serve(*endpoint_, *exchange));
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
