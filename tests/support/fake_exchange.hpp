#pragma once

#include <fairlead/http/handler.hpp>
#include <fairlead/http/websocket.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/bell.hpp"

namespace fairlead::test {

/// A request without a connection; what is answered can be looked at.
class FakeExchange final : public http::Exchange {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  FakeExchange(Loop loop, std::string method, std::string path, Headers headers = {}, std::string body = {})
      : loop_(loop),
        method_(std::move(method)),
        target_(std::move(path)),
        headers_(std::move(headers)),
        writable_(loop.executor) {
    request_.method = method_;
    request_.target = target_;
    const auto mark = target_.find('?');
    request_.path = std::string_view(target_).substr(0, mark);
    if (mark != std::string::npos) request_.query = std::string_view(target_).substr(mark + 1);
    for (const auto& [name, value] : headers_) request_.headers.push_back({name, value});
    request_.body = std::move(body);
  }

  http::Request& request() override { return request_; }
  Loop loop() const override { return loop_; }
  std::stop_token gone() const override { return gone_.get_token(); }

  Task<Result<void>> respond(http::Response response) override {
    answered_ = ended_ = true;
    head_ = std::move(response);
    co_return Result<void>();
  }
  Task<Result<void>> begin(http::Response head) override {
    answered_ = streamed_ = true;
    head_ = std::move(head);
    stream_ = std::exchange(head_.body, {});
    co_return Result<void>();
  }
  Task<Result<void>> write(std::string_view piece) override {
    while (stalled_ && !gone_.stop_requested()) co_await writable_.wait();
    if (gone_.stop_requested()) co_return fail(ErrorKind::closed, "the client has gone");
    stream_ += piece;
    co_return Result<void>();
  }
  Task<Result<void>> end() override {
    ended_ = true;
    co_return Result<void>();
  }
  bool answered() const override { return answered_; }

  Task<Result<std::unique_ptr<http::WebSocket>>> upgrade(http::WebSocketOptions options) override {
    offered_ = options.subprotocols;
    if (!socket_) co_return fail(ErrorKind::refused, "no handshake");
    co_return std::move(socket_);
  }

  /// The client hangs up.
  void leave() {
    gone_.request_stop();
    writable_.ring();
  }
  /// The client reads, or does not.
  void stall(bool stalled) {
    stalled_ = stalled;
    writable_.ring();
  }
  void accept_upgrade(std::unique_ptr<http::WebSocket> socket) { socket_ = std::move(socket); }

  std::uint16_t status() const { return head_.status; }
  const http::Response& head() const { return head_; }
  const std::string& body() const { return streamed_ ? stream_ : head_.body; }
  bool streamed() const { return streamed_; }
  bool ended() const { return ended_; }
  const std::vector<std::string>& offered() const { return offered_; }
  std::string header(std::string_view name) const { return header_of(head_, name); }

  static std::string header_of(const http::Response& response, std::string_view name) {
    for (const auto& field : response.headers) {
      if (protocol::same_header(field.name, name)) return field.value;
    }
    return {};
  }

 private:
  Loop loop_;
  std::string method_;
  std::string target_;
  Headers headers_;
  http::Request request_;
  std::stop_source gone_;
  Bell writable_;
  http::Response head_;
  std::string stream_;
  std::unique_ptr<http::WebSocket> socket_;
  std::vector<std::string> offered_;
  bool answered_ = false;
  bool streamed_ = false;
  bool ended_ = false;
  bool stalled_ = false;
};

}  // namespace fairlead::test
