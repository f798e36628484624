#pragma once

#include "http/websocket_frame.hpp"

namespace fairlead::http {

/// A complete message (`text`), or a control frame with its payload.
struct WebSocketEvent {
  Opcode kind = Opcode::text;
  std::string payload = {};

  bool operator==(const WebSocketEvent&) const = default;
};

/// Parses bytes into messages and control frames and joins fragments. Buffers only incomplete ones.
class WebSocketParser {
 public:
  /// Clients expect unmasked frames, servers masked ones.
  WebSocketParser(bool is_client, std::size_t max_message) : is_client_(is_client), max_message_(max_message) {}

  /// Consumes bytes up to the next event; nothing if more bytes are needed. A `malformed` error has the close code; do
  /// not call again after it or after a close frame.
  Result<std::optional<WebSocketEvent>> read(std::string_view& bytes);

  /// True inside a message or frame.
  bool unfinished() const { return in_message_ || have_ > 0 || payload_left_ > 0; }

 private:
  bool take_head(std::string_view& bytes);
  Result<void> accept_head();
  Result<void> accept_data();
  void take_payload(std::string_view& bytes);
  Result<std::optional<WebSocketEvent>> end_frame();
  std::string& target() { return is_control(head_.opcode) ? control_ : message_; }

  bool is_client_;
  std::size_t max_message_;
  std::array<char, FrameHead::max_size> start_{};
  std::uint8_t have_ = 0;  // Bytes of a frame header in `start_`.
  bool in_frame_ = false;
  bool in_message_ = false;  // Inside a fragmented message.
  FrameHead head_;
  std::uint64_t payload_left_ = 0;
  std::string control_;
  std::string message_;
};

}  // namespace fairlead::http
