#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
#include <string_view>
#include <vector>

namespace fairlead::http {

struct ClientResponse;

/// Close codes of RFC 6455 section 7.4.1.
namespace close_code {
inline constexpr std::uint16_t normal = 1000;
inline constexpr std::uint16_t going_away = 1001;
inline constexpr std::uint16_t protocol_error = 1002;
inline constexpr std::uint16_t unsupported_data = 1003;
inline constexpr std::uint16_t bad_text = 1007;
inline constexpr std::uint16_t policy = 1008;
inline constexpr std::uint16_t too_big = 1009;
inline constexpr std::uint16_t internal_error = 1011;
}  // namespace close_code

struct WebSocketOptions {
  /// Client: offered. Server: supported; it selects the first one that the client offers.
  std::vector<std::string> subprotocols = {};
  std::size_t max_message = 64 * 1024 * 1024;
  Duration ping_interval = std::chrono::seconds{30};  ///< Idle time after which a ping is sent; 0 disables pings.
  Duration write_timeout = std::chrono::seconds{
      30};  ///< Without the peer reading a byte; then the connection is closed. 0 disables the limit.
  Duration close_timeout = std::chrono::seconds{5};  ///< Wait for the close frame of the peer.
  /// Client: called with the response of a server that does not upgrade, before the error is returned.
  std::function<void(const ClientResponse&)> on_refusal = {};
};

/// Complete text messages over an upgraded connection. Handles fragments, pings and the closing handshake.
class WebSocket {
 public:
  virtual ~WebSocket() = default;

  /// Returns the next text message, valid UTF-8. `closed` when the peer has closed; the error message contains its code
  /// and reason.
  virtual Task<Result<std::string>> receive() = 0;
  /// Returns a message that was already read; nothing if `receive` must be awaited.
  virtual std::optional<std::string> receive_now() = 0;

  /// Waits while the peer does not read; ready if the message was written at once. `text` is copied before.
  virtual Task<Result<void>> send(std::string_view text) = 0;
  /// Sends several messages in order, in one write where they fit.
  virtual Task<Result<void>> send_all(std::vector<std::string> texts) = 0;

  /// Queues a message; `flush` or the next `send` writes it. Call only while `has_room`, which is false while the peer
  /// does not read.
  virtual void queue(std::string_view text) = 0;
  virtual bool has_room() const = 0;
  /// Writes what the socket accepts. Returns true once everything was written, or the connection is broken.
  virtual bool flush_now() = 0;
  virtual Task<Result<void>> flush() = 0;

  /// Performs the closing handshake; waits up to `close_timeout` for the peer.
  virtual Task<void> close(std::uint16_t code, std::string reason) = 0;
  /// Closes the connection at once; a pending `receive` and `send` end with `closed`.
  virtual void abort() noexcept = 0;

  /// The negotiated subprotocol; empty for none.
  virtual std::string_view subprotocol() const = 0;
};

}  // namespace fairlead::http
