#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "http/websocket_frame.hpp"

namespace fairlead::http {

/// Something whole that has arrived: a message (`text`), or a control frame and its payload.
struct WebSocketInput {
  Opcode kind = Opcode::text;
  std::string payload = {};

  bool operator==(const WebSocketInput&) const = default;
};

/// Turns bytes into messages and control frames, and fragments into messages. Holds what is unfinished and no more.
class WebSocketReader {
 public:
  /// A client reads frames without a mask, a server frames with one.
  WebSocketReader(bool is_client, std::size_t max_message) : is_client_(is_client), max_message_(max_message) {}

  /// Takes bytes off the front until something is whole; nothing if they ran out before. `malformed` names in its code
  /// how to close; what comes after that, or after a close frame, has no meaning.
  Result<std::optional<WebSocketInput>> read(std::string_view& bytes);

  /// Whether a message has begun.
  bool unfinished() const { return in_message_ || have_ > 0 || payload_left_ > 0; }

 private:
  bool take_head(std::string_view& bytes);
  Result<void> accept_head();
  Result<void> accept_data();
  void take_payload(std::string_view& bytes);
  Result<std::optional<WebSocketInput>> end_frame();
  std::string& target() { return is_control(head_.opcode) ? control_ : message_; }

  bool is_client_;
  std::size_t max_message_;
  std::array<char, FrameHead::max_size> start_{};
  std::uint8_t have_ = 0;  // Bytes of a head in `start_`.
  bool in_frame_ = false;
  bool in_message_ = false;  // A fragment has come, and not the last.
  FrameHead head_;
  std::uint64_t payload_left_ = 0;
  std::string control_;
  std::string message_;
};

}  // namespace fairlead::http
