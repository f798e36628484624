#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>

/// RFC 6455, without any I/O.
namespace fairlead::http {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// What a peer did wrong, and the code to close with.
std::unexpected<Error> broken_frame(std::uint16_t code, std::string why);

constexpr bool is_control(Opcode opcode) {
  return static_cast<std::uint8_t>(opcode) >= 8;
}

using MaskKey = std::array<char, 4>;

/// What stands before a frame's payload.
struct FrameHead {
  static constexpr std::size_t max_size = 14;
  static constexpr std::size_t max_control = 125;

  bool final = true;
  Opcode opcode = Opcode::text;
  std::optional<MaskKey> mask = {};
  std::uint64_t length = 0;

  bool operator==(const FrameHead&) const = default;
};

/// How many bytes the head has that starts like this; more than there are means: come back with so many.
std::size_t frame_head_size(std::string_view bytes);

/// Reads a whole head. What no frame may say is `malformed` with the close code it deserves.
Result<FrameHead> read_frame_head(std::string_view bytes);

/// Masks or unmasks, which is the same: `offset` is where in the payload the bytes stand.
void apply_mask(char* bytes, std::size_t size, const MaskKey& key, std::size_t offset);

/// Appends a whole frame. A client masks, a server does not.
void write_frame(std::string& out, Opcode opcode, std::string_view payload, const std::optional<MaskKey>& mask);

/// Why the peer closes, or what to tell it.
struct CloseReason {
  std::uint16_t code = 1005;  ///< 1005 stands for none given, and is never sent.
  std::string text = {};

  bool operator==(const CloseReason&) const = default;
};

/// `malformed`, with the code to close with, for what section 7.4 forbids.
Result<CloseReason> read_close(std::string_view payload);
/// The payload of a close frame; a text too long for it is cut between characters.
std::string close_payload(const CloseReason& reason);

}  // namespace fairlead::http
