#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

/// Why a WebSocket ends, as RFC 6455 section 7.4.1 numbers it.
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
  std::vector<std::string> subprotocols =
      {};  ///< Offered by a client; known to a server, which picks the client's first.
  std::size_t max_message = 64 * 1024 * 1024;
  Duration ping_every =
      std::chrono::seconds{30};  ///< Silence after which the peer is asked for a sign of life; 0 never.
  Duration write_pause = std::chrono::seconds{30};  ///< Without the peer taking a byte; then it is cut off. 0 never.
  Duration close_wait = std::chrono::seconds{5};    ///< For the peer's close frame.
};

/// Whole messages both ways over an upgraded connection; fragments, pings and the closing handshake are dealt with.
class WebSocket {
 public:
  virtual ~WebSocket() = default;

  /// The next text message, valid UTF-8. `closed` when the peer has closed; its code and reason are in the message.
  virtual Task<Result<std::string>> receive() = 0;
  /// One that has arrived together with others; nothing where `receive` has to be awaited.
  virtual std::optional<std::string> receive_now() = 0;

  virtual Task<Result<void>> send(std::string_view text) = 0;
  /// Several messages in their order, in one write where they fit.
  virtual Task<Result<void>> send_all(std::vector<std::string> texts) = 0;

  /// Takes a message while there is room: it leaves with `flush`, in one write with others, or with what is sent next.
  /// There is none while the peer does not read.
  virtual void put(std::string_view text) = 0;
  virtual bool has_room() const = 0;
  /// As much as can leave now. True once all has left, or never can.
  virtual bool flush_now() = 0;
  virtual Task<Result<void>> flush() = 0;

  /// Says goodbye and waits for the peer's, for as long as the options say.
  virtual Task<void> close(std::uint16_t code, std::string reason) = 0;
  /// Ends it at once: a pending `receive` and `send` end with `closed`.
  virtual void abort() noexcept = 0;

  /// What both agreed on; empty for none.
  virtual std::string_view subprotocol() const = 0;
};

}  // namespace fairlead::http
