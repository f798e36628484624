#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/stream.hpp>
#include <fairlead/http/websocket.hpp>
#include <memory>

#include "base/async_event.hpp"
#include "base/scope_exit.hpp"
#include "http/masking_keys.hpp"
#include "http/websocket_frame.hpp"
#include "http/websocket_parser.hpp"

namespace fairlead::http {

/// Creates a WebSocket on an upgraded stream, which outlives it. `leftover` are the bytes read after the handshake.
std::unique_ptr<WebSocket> make_websocket(EventLoop loop, Stream& stream, std::string leftover, bool is_client,
                                          std::string subprotocol, WebSocketOptions options);

/// Creates a WebSocket that owns its stream.
std::unique_ptr<WebSocket> make_websocket(EventLoop loop, std::unique_ptr<Stream> stream, std::string leftover,
                                          bool is_client, std::string subprotocol, WebSocketOptions options);

class WebSocketConnection final : public WebSocket, NonCopyable {
 public:
  WebSocketConnection(EventLoop loop, Stream& stream, std::string leftover, bool is_client, std::string subprotocol,
                      WebSocketOptions options);
  ~WebSocketConnection() override;

  Task<Result<std::string>> receive() override;
  std::optional<std::string> receive_now() override;
  Task<Result<void>> send(std::string_view text) override;
  Task<Result<void>> send_all(std::vector<std::string> texts) override;
  void queue(std::string_view text) override;
  bool has_room() const override;
  bool flush_now() override { return !writing_ && write_now(); }
  Task<Result<void>> flush() override;
  Task<void> close(std::uint16_t code, std::string reason) override;
  void abort() noexcept override;
  std::string_view subprotocol() const override { return subprotocol_; }

 private:
  /// Sets a flag for a scope and notifies waiters at its end.
  auto scoped_turn(bool& flag) {
    flag = true;
    return ScopeExit([this, &flag] {
      flag = false;
      changed_.notify();
    });
  }

  /// Error for the caller and close frame for the peer.
  struct PendingClose {
    Error why;
    CloseReason close_reason;
  };

  std::optional<std::string> read_some();
  std::optional<std::string> child_of(std::string_view& bytes);
  std::optional<std::string> on_event(WebSocketEvent input);
  void on_close_frame(std::string_view payload);
  void begin_close(Error why);
  Task<Error> finish_close();
  void discard_input();
  Task<Result<void>> await_close();

  void append(Opcode opcode, std::string_view payload);
  bool has_output() const { return sent_ < out_.size() || pong_.has_value(); }
  std::size_t unsent() const { return out_.size() - sent_; }
  bool write_now();
  Task<Result<void>> write_until(std::uint64_t target);
  Result<void> written(std::uint64_t target) const;

  void send_close(const CloseReason& reason);
  void on_idle();
  void watch_stall();
  void on_stall();
  void end(Error why);

  EventLoop loop_;
  Stream& stream_;
  WebSocketOptions options_;
  std::string subprotocol_;
  bool is_client_;
  bool receiving_ = false;
  bool writing_ = false;
  bool close_sent_ = false;
  bool received_since_check_ = false;  // Data arrived since the idle timer was last checked.
  bool pinged_ = false;                // A ping was sent and nothing has arrived since.
  WebSocketParser reader_;
  /// How much of our data the peer has read.
  struct WriteProgress {
    std::uint64_t gone = 0;
    std::size_t queued = 0;
    bool operator==(const WriteProgress&) const = default;
  };
  WriteProgress progress() { return {.gone = gone_, .queued = stream_.queued()}; }

  std::string in_;  // Unparsed input.
  std::size_t seen_ = 0;
  std::string out_;
  std::size_t sent_ = 0;    // Written bytes of `out_`.
  std::uint64_t gone_ = 0;  // Total bytes written.
  std::optional<std::string> pong_;
  MaskingKeys masks_;
  std::optional<PendingClose> pending_close_;  // Applied after the messages before it were received.
  std::optional<Error> ended_;
  Timer silence_;
  Timer stall_;
  WriteProgress noted_;  // Progress when `stall_` was armed.
  AsyncEvent changed_;
};

}  // namespace fairlead::http
