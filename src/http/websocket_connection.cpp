#include "http/websocket_connection.hpp"

#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>

namespace fairlead::http {
namespace {

/// A WebSocket that owns its stream.
class OwningWebSocket final : public WebSocket {
 public:
  OwningWebSocket(EventLoop loop, std::unique_ptr<Stream> stream, std::string leftover, bool is_client,
                  std::string subprotocol, WebSocketOptions options)
      : stream_(std::move(stream)),
        connection_(loop, *stream_, std::move(leftover), is_client, std::move(subprotocol), std::move(options)) {}

  Task<Result<std::string>> receive() override { return connection_.receive(); }
  std::optional<std::string> receive_now() override { return connection_.receive_now(); }
  Task<Result<void>> send(std::string_view text) override { return connection_.send(text); }
  Task<Result<void>> send_all(std::vector<std::string> texts) override {
    return connection_.send_all(std::move(texts));
  }
  void queue(std::string_view text) override { connection_.queue(text); }
  bool has_room() const override { return connection_.has_room(); }
  bool flush_now() override { return connection_.flush_now(); }
  Task<Result<void>> flush() override { return connection_.flush(); }
  Task<void> close(std::uint16_t code, std::string reason) override {
    return connection_.close(code, std::move(reason));
  }
  void abort() noexcept override { connection_.abort(); }
  std::string_view subprotocol() const override { return connection_.subprotocol(); }

 private:
  std::unique_ptr<Stream> stream_;
  WebSocketConnection connection_;
};

Error closed(std::string why) {
  return {.kind = ErrorKind::closed, .message = std::move(why)};
}

}  // namespace

std::unique_ptr<WebSocket> make_websocket(EventLoop loop, Stream& stream, std::string leftover, bool is_client,
                                          std::string subprotocol, WebSocketOptions options) {
  return std::make_unique<WebSocketConnection>(loop, stream, std::move(leftover), is_client, std::move(subprotocol),
                                               std::move(options));
}

std::unique_ptr<WebSocket> make_websocket(EventLoop loop, std::unique_ptr<Stream> stream, std::string leftover,
                                          bool is_client, std::string subprotocol, WebSocketOptions options) {
  return std::make_unique<OwningWebSocket>(loop, std::move(stream), std::move(leftover), is_client,
                                           std::move(subprotocol), std::move(options));
}

WebSocketConnection::WebSocketConnection(EventLoop loop, Stream& stream, std::string leftover, bool is_client,
                                         std::string subprotocol, WebSocketOptions options)
    : loop_(loop),
      stream_(stream),
      options_(std::move(options)),
      subprotocol_(std::move(subprotocol)),
      is_client_(is_client),
      reader_(is_client, options_.max_message),
      in_(std::move(leftover)),
      silence_(loop.timers, [this] { on_idle(); }),
      stall_(loop.timers, [this] { on_stall(); }),
      changed_(loop.executor) {
  if (options_.ping_interval > Duration::zero()) {
    silence_.arm(Deadline::in(options_.ping_interval, loop_.timers.clock()));
  }
}

WebSocketConnection::~WebSocketConnection() = default;

void WebSocketConnection::end(Error why) {
  if (ended_) return;
  ended_ = std::move(why);
  silence_.disarm();
  stall_.disarm();
  stream_.close();
  changed_.notify();
}

void WebSocketConnection::abort() noexcept {
  end(closed("the WebSocket was closed on this side"));
}

void WebSocketConnection::send_close(const CloseReason& reason) {
  if (std::exchange(close_sent_, true)) return;
  // A close frame is the last frame.
  pong_.reset();
  append(Opcode::close, close_payload(reason));
}

Task<void> WebSocketConnection::close(std::uint16_t code, std::string reason) {
  if (ended_) co_return;
  const CloseReason why{.code = code, .text = std::move(reason)};
  send_close(why);
  const auto deadline = Deadline::in(options_.close_timeout, loop_.timers.clock());
  co_await with_deadline(loop_.timers, deadline, await_close());
  end(closed("the WebSocket was closed on this side"));
}

// A pending `receive` reads the close frame of the peer; otherwise read it here.
Task<Result<void>> WebSocketConnection::await_close() {
  auto flushed = co_await flush();
  while (flushed && !ended_) {
    if (receiving_) {
      co_await changed_.wait();
    } else if (auto message = co_await receive(); !message) {
      break;
    }
  }
  co_return flushed;
}

void WebSocketConnection::watch_stall() {
  if (stall_.armed() || options_.write_timeout <= Duration::zero()) return;
  noted_ = progress();
  stall_.arm(Deadline::in(options_.write_timeout, loop_.timers.clock()));
}

// A slow peer drains the kernel buffer before the socket becomes writable: check the queued bytes.
void WebSocketConnection::on_stall() {
  if (!writing_) return;
  if (progress() == noted_) return end(closed("the peer does not read our messages"));
  watch_stall();
}

// While no `receive` is pending, missing input says nothing about the peer.
void WebSocketConnection::on_idle() {
  const bool was_pinged = std::exchange(pinged_, false);
  if (!std::exchange(received_since_check_, false) && receiving_ && !close_sent_) {
    if (was_pinged) return end(closed("the peer does not answer pings any more"));
    // A ping behind a stalled queue would not be sent.
    if (!has_output()) append(Opcode::ping, {});
    pinged_ = true;
  }
  if (!writing_) write_now();
  silence_.arm(Deadline::in(options_.ping_interval, loop_.timers.clock()));
}

}  // namespace fairlead::http
