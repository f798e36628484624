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

  FakeExchange(Loop loop, std::string method, std::string path, Headers headers = {}, std::string body = {});

  http::Request& request() override { return request_; }
  Loop loop() const override { return loop_; }
  std::stop_token gone() const override { return gone_.get_token(); }

  Task<Result<void>> respond(http::Response response) override;
  Task<Result<void>> begin(http::Response head) override;
  Task<Result<void>> write(std::string_view piece) override;
  Task<Result<void>> end() override;
  bool answered() const override { return answered_; }

  Task<Result<std::unique_ptr<http::WebSocket>>> upgrade(http::WebSocketOptions options) override;

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

  static std::string header_of(const http::Response& response, std::string_view name);

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
