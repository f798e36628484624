#pragma once

#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/stream.hpp>
#include <fairlead/http/websocket.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bell.hpp"
#include "http/mask_source.hpp"
#include "http/websocket_frame.hpp"
#include "http/websocket_reader.hpp"

namespace fairlead::http {

/// A WebSocket on a stream that has been upgraded. `leftover` is what arrived behind the handshake; the stream outlives
/// the WebSocket.
std::unique_ptr<WebSocket> make_websocket(Loop loop, Stream& stream, std::string leftover, bool is_client,
                                          std::string subprotocol, WebSocketOptions options);

/// The same, and the stream goes with it.
std::unique_ptr<WebSocket> make_websocket(Loop loop, std::unique_ptr<Stream> stream, std::string leftover,
                                          bool is_client, std::string subprotocol, WebSocketOptions options);

class WebSocketConnection final : public WebSocket {
 public:
  WebSocketConnection(Loop loop, Stream& stream, std::string leftover, bool is_client, std::string subprotocol,
                      WebSocketOptions options);
  WebSocketConnection(const WebSocketConnection&) = delete;
  WebSocketConnection& operator=(const WebSocketConnection&) = delete;
  ~WebSocketConnection() override;

  Task<Result<std::string>> receive() override;
  std::optional<std::string> receive_now() override;
  Task<Result<void>> send(std::string_view text) override;
  Task<Result<void>> send_all(std::vector<std::string> texts) override;
  void put(std::string_view text) override;
  bool has_room() const override;
  bool flush_now() override { return !pushing_ && push_now(); }
  Task<Result<void>> flush() override;
  Task<void> close(std::uint16_t code, std::string reason) override;
  void abort() noexcept override;
  std::string_view subprotocol() const override { return subprotocol_; }

 private:
  /// Holds a flag while somebody is at it, and tells those who wait for it when that is over.
  class Turn {
   public:
    Turn(WebSocketConnection& connection, bool& flag) : connection_(connection), flag_(flag) { flag_ = true; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      flag_ = false;
      connection_.changed_.ring();
    }

   private:
    WebSocketConnection& connection_;
    bool& flag_;
  };

  /// Why it ends, and what the peer is told of it.
  struct Parting {
    Error why;
    CloseReason last_word;
  };

  std::optional<std::string> read_some();
  std::optional<std::string> next_in(std::string_view& bytes);
  std::optional<std::string> take(WebSocketInput input);
  void hear_goodbye(std::string_view payload);
  void leave(Error why);
  Task<Error> part();
  void discard_input();
  Task<Result<void>> await_goodbye();

  void append(Opcode opcode, std::string_view payload);
  bool has_output() const { return sent_ < out_.size() || pong_.has_value(); }
  std::size_t unsent() const { return out_.size() - sent_; }
  bool push_now();
  Task<Result<void>> push_until(std::uint64_t target);

  void say_goodbye(const CloseReason& reason);
  void on_silence();
  void watch_stall();
  void on_stall();
  void end(Error why);

  Loop loop_;
  Stream& stream_;
  WebSocketOptions options_;
  std::string subprotocol_;
  bool is_client_;
  bool receiving_ = false;
  bool pushing_ = false;
  bool goodbye_said_ = false;
  bool heard_ = false;   // Something, since the silence was last looked at.
  bool pinged_ = false;  // And nothing was heard since.
  WebSocketReader reader_;
  /// How far the peer has taken what it was sent.
  struct Progress {
    std::uint64_t gone = 0;
    std::size_t queued = 0;
    bool operator==(const Progress&) const = default;
  };
  Progress progress() { return {.gone = gone_, .queued = stream_.queued()}; }

  std::string in_;  // What has arrived behind the last thing that was whole.
  std::size_t seen_ = 0;
  std::string out_;
  std::size_t sent_ = 0;    // Of `out_`.
  std::uint64_t gone_ = 0;  // Bytes written in all.
  std::optional<std::string> pong_;
  MaskSource masks_;
  std::optional<Parting> parting_;  // Once all that came before has been received.
  std::optional<Error> ended_;
  Timer silence_;
  Timer stall_;
  Progress noted_;  // When the timer was armed.
  Bell changed_;
};

}  // namespace fairlead::http
