#pragma once

#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/async_event.hpp"

namespace fairlead::test {

/// An exchange without a connection that records the response.
class FakeExchange final : public http::Exchange {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  FakeExchange(EventLoop loop, std::string method, std::string path, Headers headers = {}, std::string body = {});

  http::Request& request() override { return request_; }
  EventLoop loop() const override { return loop_; }
  std::stop_token stop_token() const override { return gone_.get_token(); }

  Task<Result<void>> respond(http::Response response) override;
  Task<Result<void>> begin(http::Response head) override;
  Task<Result<void>> write(std::string_view piece) override;
  Task<Result<void>> end() override;
  bool response_started() const override { return answered_; }

  Task<Result<std::unique_ptr<http::WebSocket>>> upgrade(http::WebSocketOptions options) override;

  /// The client disconnects.
  void leave() {
    gone_.request_stop();
    writable_.notify();
  }
  /// Whether the client reads.
  void stall(bool stalled) {
    stalled_ = stalled;
    writable_.notify();
  }
  void accept_upgrade(std::unique_ptr<http::WebSocket> socket) { socket_ = std::move(socket); }

  std::uint16_t status() const { return head_.status; }
  const http::Response& head() const { return head_; }
  const std::string& body() const { return streamed_ ? stream_ : head_.body; }
  bool streamed() const { return streamed_; }
  bool ended() const { return ended_; }
  const std::vector<std::string>& offered() const { return offered_; }
  std::string header(std::string_view name) const { return header_of(head_, name); }

  static std::string header_of(const http::Response& response, std::string_view name);

 private:
  EventLoop loop_;
  std::string method_;
  std::string target_;
  Headers headers_;
  http::Request request_;
  std::stop_source gone_;
  AsyncEvent writable_;
  http::Response head_;
  std::string stream_;
  std::unique_ptr<http::WebSocket> socket_;
  std::vector<std::string> offered_;
  bool answered_ = false;
  bool streamed_ = false;
  bool ended_ = false;
  bool stalled_ = false;
};

/// Handles and answers the request as a connection does: the handler is stopped if the client disconnects.
Task<bool> serve(http::Handler& handler, FakeExchange& exchange);

}  // namespace fairlead::test
