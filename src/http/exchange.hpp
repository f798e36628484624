#pragma once

#include <array>
#include <cstdint>
#include <fairlead/http/handler.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "http/connection.hpp"

namespace fairlead::http {

/// One request that a handler serves in its own time, on one connection.
///
/// What the socket takes at once is sent before the task is awaited, which then costs next to nothing.
class ServerExchange final : public Exchange {
 public:
  explicit ServerExchange(Connection& connection) : connection_(connection) {}
  ServerExchange(const ServerExchange&) = delete;
  ServerExchange& operator=(const ServerExchange&) = delete;

  Request& request() override { return connection_.reader().request(); }
  Loop loop() const override { return connection_.listener().loop(); }
  std::stop_token gone() const override { return gone_.get_token(); }
  Task<Result<void>> respond(Response response) override;
  Task<Result<void>> begin(Response head) override;
  Task<Result<void>> write(std::string_view piece) override;
  Task<Result<void>> end() override;
  bool answered() const override { return state_ != State::open; }
  void forget_request() override { connection_.reader().forget(); }
  Task<Result<std::unique_ptr<WebSocket>>> upgrade(WebSocketOptions options) override;

  // For the connection.
  /// The client has gone, or must.
  void leave() { gone_.request_stop(); }
  /// For a handler that has said nothing.
  Task<void> apologise();
  /// Whether the client has got all of the answer, and can tell.
  bool complete() const { return state_ == State::complete; }
  /// Whether only the end of the connection tells the client that it is all.
  bool ends_with_connection() const { return body_ == BodyKind::until_close; }
  /// Whether it would never end on its own: a stream that was asked for, a WebSocket.
  bool endless() const;

 private:
  enum class State : std::uint8_t { open, streaming, complete, upgraded, broken };
  /// Bytes on their way, in this order. What is borrowed is the caller's for as long as the caller waits.
  struct Outgoing {
    std::string head = {};
    std::string body = {};
    std::string_view borrowed = {};
    std::string_view tail = {};
    std::size_t sent = 0;
  };

  Result<void> may(State expected) const;
  std::string head_text(const Response& response, BodyKind body, bool keep_alive);
  Task<Result<void>> send(Outgoing bytes, State then);
  Task<Result<void>> send_rest(Outgoing bytes, State then);
  Result<bool> send_now(Outgoing& bytes);
  void reach(State state);
  bool is_head() { return request().method == "HEAD"; }

  Connection& connection_;
  std::stop_source gone_;
  State state_ = State::open;
  BodyKind body_ = BodyKind::none;
};

}  // namespace fairlead::http
