#include "http/websocket_frame.hpp"
#include "load/answer_reader.hpp"

namespace fairlead::load {
namespace {

// Status of messages on transports without HTTP status.
constexpr std::uint16_t ok = 200;

}  // namespace

Result<void> LineAnswerReader::feed(std::string_view bytes, AnswerSink& sink) {
  for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    if (partial_.empty()) {
      sink.on_answer(ok, bytes.substr(0, end));
    } else {
      partial_ += bytes.substr(0, end);
      sink.on_answer(ok, partial_);
      partial_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
  partial_ += bytes;
  return {};
}

Result<void> FrameAnswerReader::feed(std::string_view bytes, AnswerSink& sink) {
  const bool joins = !partial_.empty();
  if (joins) partial_ += bytes;
  std::string_view rest = joins ? std::string_view(partial_) : bytes;
  while (!rest.empty()) {
    const auto taken = read_frame(rest, sink);
    if (!taken) return std::unexpected(taken.error());
    if (*taken == 0) break;
    rest.remove_prefix(*taken);
  }
  partial_ = std::string(rest);
  return {};
}

Result<std::size_t> FrameAnswerReader::read_frame(std::string_view bytes, AnswerSink& sink) {
  const auto head_size = http::frame_head_size(bytes);
  if (head_size > bytes.size()) return 0;
  const auto head = http::read_frame_head(bytes.substr(0, head_size));
  if (!head) return std::unexpected(head.error());
  if (bytes.size() - head_size < head->length) return 0;
  const auto payload = bytes.substr(head_size, static_cast<std::size_t>(head->length));
  if (head->opcode == http::Opcode::close) return fail(ErrorKind::closed, "the server closed the WebSocket");
  if (!http::is_control(head->opcode)) {
    if (head->final && message_.empty()) {
      sink.on_answer(ok, payload);
    } else {
      message_ += payload;
      if (head->final) {
        sink.on_answer(ok, message_);
        message_.clear();
      }
    }
  }
  return head_size + payload.size();
}

}  // namespace fairlead::load
