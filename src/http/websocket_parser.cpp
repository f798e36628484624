#include "http/websocket_parser.hpp"

#include <algorithm>
#include <fairlead/base/utf8.hpp>
#include <fairlead/http/websocket.hpp>
#include <utility>

namespace fairlead::http {
Result<std::optional<WebSocketEvent>> WebSocketParser::read(std::string_view& bytes) {
  while (true) {
    if (!in_frame_) {
      if (!take_head(bytes)) return std::nullopt;
      if (auto accepted = accept_head(); !accepted) return std::unexpected(std::move(accepted.error()));
    }
    take_payload(bytes);
    if (payload_left_ > 0) return std::nullopt;
    auto ended = end_frame();
    if (!ended || *ended) return ended;
  }
}

// False if more bytes are needed.
bool WebSocketParser::take_head(std::string_view& bytes) {
  std::size_t wanted = frame_head_size({start_.data(), have_});
  while (have_ < wanted) {
    if (bytes.empty()) return false;
    const auto size = std::min(wanted - have_, bytes.size());
    std::copy_n(bytes.begin(), size, start_.begin() + have_);
    have_ = static_cast<std::uint8_t>(have_ + size);
    bytes.remove_prefix(size);
    wanted = frame_head_size({start_.data(), have_});
  }
  return true;
}

Result<void> WebSocketParser::accept_head() {
  auto head = read_frame_head({start_.data(), have_});
  if (!head) return std::unexpected(std::move(head.error()));
  head_ = *head;
  if (head_.mask.has_value() == is_client_) {
    return broken_frame(close_code::protocol_error,
                        is_client_ ? "a server must not mask its frames" : "a client must mask its frames");
  }
  if (!is_control(head_.opcode)) {
    if (auto accepted = accept_data(); !accepted) return accepted;
  }
  have_ = 0;
  in_frame_ = true;
  payload_left_ = head_.length;
  return {};
}

Result<void> WebSocketParser::accept_data() {
  if (head_.opcode == Opcode::binary)
    return broken_frame(close_code::unsupported_data, "only text messages are supported");
  if ((head_.opcode == Opcode::continuation) != in_message_) {
    return broken_frame(close_code::protocol_error, in_message_ ? "a message began before the last one had ended"
                                                                : "a continuation frame without a message");
  }
  if (head_.length > max_message_ || message_.size() > max_message_ - head_.length) {
    return broken_frame(close_code::too_big, "a message is longer than " + std::to_string(max_message_) + " bytes");
  }
  in_message_ = true;
  return {};
}

void WebSocketParser::take_payload(std::string_view& bytes) {
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(payload_left_, bytes.size()));
  auto& into = target();
  const auto begin = into.size();
  into += bytes.substr(0, size);
  const auto offset = static_cast<std::size_t>(head_.length - payload_left_);
  if (head_.mask) apply_mask(into.data() + begin, size, *head_.mask, offset);
  bytes.remove_prefix(size);
  payload_left_ -= size;
}

Result<std::optional<WebSocketEvent>> WebSocketParser::end_frame() {
  in_frame_ = false;
  if (is_control(head_.opcode)) return WebSocketEvent{.kind = head_.opcode, .payload = std::exchange(control_, {})};
  if (!head_.final) return std::nullopt;
  in_message_ = false;
  auto text = std::exchange(message_, {});
  if (!is_utf8(text)) return broken_frame(close_code::bad_text, "a text message is not UTF-8");
  return WebSocketEvent{.kind = Opcode::text, .payload = std::move(text)};
}

}  // namespace fairlead::http
