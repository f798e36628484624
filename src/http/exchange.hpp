#pragma once

#include <fairlead/base/non_copyable.hpp>
#include <fairlead/http/handler.hpp>

#include "http/connection.hpp"

namespace fairlead::http {

/// The exchange of one request whose response is streamed.
///
/// Writes what the socket accepts before the task is awaited, so that awaiting costs little.
class ServerExchange final : public Exchange, NonCopyable {
 public:
  explicit ServerExchange(Connection& connection) : connection_(connection) {}

  Request& request() override { return connection_.reader().request(); }
  EventLoop loop() const override { return connection_.listener().loop(); }
  std::stop_token stop_token() const override { return stop_.get_token(); }
  Task<Result<void>> respond(Response response) override;
  Task<Result<void>> begin(Response head) override;
  Task<Result<void>> write(std::string_view piece) override;
  Task<Result<void>> end() override;
  bool response_started() const override { return state_ != ExchangeState::open; }
  void release_request_memory() override { connection_.reader().release_memory(); }
  Task<Result<std::unique_ptr<WebSocket>>> upgrade(WebSocketOptions options) override;

  // Used by the connection.
  /// Signals that the client has disconnected or the listener shuts down.
  void stop() { stop_.request_stop(); }
  /// Sends 500 for a handler that sent no response.
  Task<Result<void>> send_internal_error();
  /// True once the client received a complete response.
  bool complete() const { return state_ == ExchangeState::complete; }
  /// True if only the end of the connection marks the end of the response.
  bool ends_with_connection() const { return body_ == BodyKind::until_close; }
  /// True for an event stream of a GET and for a WebSocket, which do not end on their own.
  bool endless() const;

 private:
  enum class ExchangeState : std::uint8_t { open, streaming, complete, upgraded, broken };
  /// Data to write, in this order. `borrowed` belongs to the caller and is valid while it waits.
  struct OutputData {
    std::string head = {};
    std::string body = {};
    std::string_view borrowed = {};
    std::string_view tail = {};
    std::size_t sent = 0;
  };

  Result<void> may(ExchangeState expected) const;
  std::string head_text(const Response& response, BodyKind body, bool keep_alive);
  Task<Result<void>> send(OutputData bytes, ExchangeState then);
  Task<Result<void>> send_rest(OutputData bytes, ExchangeState then);
  Result<bool> write_some(OutputData& bytes);
  void reach(ExchangeState state);
  bool is_head() { return request().method == "HEAD"; }

  Connection& connection_;
  std::stop_source stop_;
  ExchangeState state_ = ExchangeState::open;
  BodyKind body_ = BodyKind::none;
};

}  // namespace fairlead::http
