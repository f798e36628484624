#include "http/websocket_frame.hpp"

#include <cstring>
#include <fairlead/base/utf8.hpp>
#include <fairlead/http/websocket.hpp>

namespace fairlead::http {
namespace {

constexpr std::uint8_t short_length = 126;
constexpr std::uint8_t long_length = 127;

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

std::uint64_t read_number(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = (number << 8) | static_cast<std::uint8_t>(byte);
  return number;
}

void write_number(std::string& out, std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>((number >> shift) & 0xFFU);
}

bool is_known(std::uint8_t opcode) {
  return opcode <= 2 || (opcode >= 8 && opcode <= 10);
}

bool may_be_sent(std::uint16_t code) {
  if (code >= 3000) return code <= 4999;
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

std::size_t length_bytes(std::uint8_t form) {
  if (form == short_length) return 2;
  return form == long_length ? 8 : 0;
}

Result<void> check_length(const FrameHead& head, std::uint8_t form) {
  if (is_control(head.opcode) && (form > FrameHead::max_control || !head.final)) {
    return broken_frame(close_code::protocol_error, "a control frame must be whole and of at most 125 bytes");
  }
  const bool is_minimal = form < short_length || (form == short_length && head.length >= short_length) ||
                          (form == long_length && head.length > 0xFFFF);
  if (!is_minimal || head.length >> 63 != 0) {
    return broken_frame(close_code::protocol_error, "the length of a frame is not written in its shortest form");
  }
  return {};
}

}  // namespace

std::unexpected<Error> broken_frame(std::uint16_t code, std::string why) {
  return std::unexpected(Error{.kind = ErrorKind::malformed, .message = std::move(why), .code = code});
}

std::size_t frame_head_size(std::string_view bytes) {
  if (bytes.size() < 2) return 2;
  const auto second = byte_at(bytes, 1);
  return 2 + length_bytes(second & 0x7FU) + ((second & 0x80U) != 0 ? 4 : 0);
}

Result<FrameHead> read_frame_head(std::string_view bytes) {
  const auto first = byte_at(bytes, 0);
  const auto second = byte_at(bytes, 1);
  if ((first & 0x70U) != 0) return broken_frame(close_code::protocol_error, "a reserved bit is set in a frame");
  const auto opcode = static_cast<std::uint8_t>(first & 0x0FU);
  if (!is_known(opcode)) return broken_frame(close_code::protocol_error, "a frame has an opcode that does not exist");
  FrameHead head{.final = (first & 0x80U) != 0, .opcode = static_cast<Opcode>(opcode)};
  const auto form = static_cast<std::uint8_t>(second & 0x7FU);
  const auto extra = length_bytes(form);
  head.length = extra == 0 ? form : read_number(bytes.substr(2, extra));
  if (auto fits = check_length(head, form); !fits) return std::unexpected(std::move(fits.error()));
  if ((second & 0x80U) != 0) std::memcpy(head.mask.emplace().data(), bytes.data() + 2 + extra, 4);
  return head;
}

void apply_mask(char* bytes, std::size_t size, const MaskKey& key, std::size_t offset) {
  std::array<char, 8> wide{};
  for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = key[(offset + i) % 4];
  std::uint64_t word = 0;
  std::memcpy(&word, wide.data(), sizeof word);
  std::size_t at = 0;
  for (; at + sizeof word <= size; at += sizeof word) {
    std::uint64_t part = 0;
    std::memcpy(&part, bytes + at, sizeof part);
    part ^= word;
    std::memcpy(bytes + at, &part, sizeof part);
  }
  for (; at < size; ++at) bytes[at] = static_cast<char>(bytes[at] ^ wide[at % 8]);
}

void write_frame(std::string& out, Opcode opcode, std::string_view payload, const std::optional<MaskKey>& mask) {
  const auto size = payload.size();
  const std::uint8_t form = size < short_length ? static_cast<std::uint8_t>(size)
                            : size <= 0xFFFF    ? short_length
                                                : long_length;
  out += static_cast<char>(0x80U | static_cast<std::uint8_t>(opcode));
  out += static_cast<char>(form | (mask ? 0x80U : 0U));
  if (const auto extra = length_bytes(form); extra != 0) write_number(out, size, static_cast<int>(extra));
  if (mask) out.append(mask->data(), mask->size());
  const auto begin = out.size();
  out += payload;
  if (mask) apply_mask(out.data() + begin, size, *mask, 0);
}

Result<CloseReason> read_close(std::string_view payload) {
  if (payload.empty()) return CloseReason{};
  if (payload.size() == 1) return broken_frame(close_code::protocol_error, "a close frame has half a code");
  const auto code = static_cast<std::uint16_t>(read_number(payload.substr(0, 2)));
  if (!may_be_sent(code))
    return broken_frame(close_code::protocol_error, "a close frame has a code that must not be sent");
  const auto text = payload.substr(2);
  if (!is_utf8(text)) return broken_frame(close_code::bad_text, "the reason in a close frame is not UTF-8");
  return CloseReason{.code = code, .text = std::string(text)};
}

std::string close_payload(const CloseReason& reason) {
  std::string payload;
  if (!may_be_sent(reason.code)) return payload;
  write_number(payload, reason.code, 2);
  std::size_t size = 0;
  while (const auto length = utf8_length(reason.text, size)) {
    if (payload.size() + size + length > FrameHead::max_control) break;
    size += length;
  }
  return payload.append(reason.text, 0, size);
}

}  // namespace fairlead::http
