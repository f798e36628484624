#pragma once

#include <array>
#include <cstddef>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string_view>

/// WebSocket frames (RFC 6455), without I/O.
namespace fairlead::http {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// A protocol violation of the peer, with the close code.
std::unexpected<Error> broken_frame(std::uint16_t code, std::string why);

constexpr bool is_control(Opcode opcode) {
  return static_cast<std::uint8_t>(opcode) >= 8;
}

using MaskKey = std::array<char, 4>;

/// Header of a frame.
struct FrameHead {
  static constexpr std::size_t max_size = 14;
  static constexpr std::size_t max_control = 125;

  bool final = true;
  Opcode opcode = Opcode::text;
  std::optional<MaskKey> mask = {};
  std::uint64_t length = 0;

  bool operator==(const FrameHead&) const = default;
};

/// Size of the frame header that starts with `bytes`; if larger than `bytes`, call again with that many.
std::size_t frame_head_size(std::string_view bytes);

/// Parses a complete header. A violation is `malformed` with the close code.
Result<FrameHead> read_frame_head(std::string_view bytes);

/// Masks or unmasks; `offset` is the position of `bytes` in the payload.
void apply_mask(char* bytes, std::size_t size, const MaskKey& key, std::size_t offset);

/// Appends a frame. Clients mask, servers do not.
void write_frame(std::string& out, Opcode opcode, std::string_view payload, const std::optional<MaskKey>& mask);

/// Close code and reason.
struct CloseReason {
  std::uint16_t code = 1005;  ///< 1005: no code given; never sent.
  std::string text = {};

  bool operator==(const CloseReason&) const = default;
};

/// Parses a close frame; `malformed`, with the close code, for what section 7.4 forbids.
Result<CloseReason> read_close(std::string_view payload);
/// Payload of a close frame; a long reason is cut at a character boundary.
std::string close_payload(const CloseReason& reason);

}  // namespace fairlead::http
