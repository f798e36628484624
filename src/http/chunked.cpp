#include "http/chunked.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "http/char_class.hpp"

namespace fairlead::http {
namespace {

// Limit for all extensions and trailers of a body together.
constexpr unsigned max_skipped = 8 * 1024;

constexpr std::string_view no_fault;
constexpr std::string_view too_big = "the body is too large: send less";

}  // namespace

std::expected<bool, HttpParseError> ChunkedDecoder::feed(std::string_view& bytes, std::string& out) {
  while (!bytes.empty() && state_ != ChunkState::done) {
    if (state_ == ChunkState::data) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_, bytes.size()));
      out.append(bytes.substr(0, size));
      bytes.remove_prefix(size);
      chunk_ -= size;
      if (chunk_ == 0) state_ = ChunkState::data_end;
      continue;
    }
    const auto why = step(bytes.front());
    if (!why.empty()) {
      const std::uint16_t status = why == too_big ? 413 : 400;
      return std::unexpected(HttpParseError{.status = status, .why = why});
    }
    bytes.remove_prefix(1);
  }
  return state_ == ChunkState::done;
}

std::string_view ChunkedDecoder::step(char byte) {
  const auto expect = [&](char wanted, ChunkState next) {
    state_ = next;
    return byte == wanted ? no_fault : "a chunk is not followed by CR LF";
  };
  switch (state_) {
    case ChunkState::size: return take_size(byte);
    case ChunkState::extension: return skip(byte, ChunkState::size_end);
    case ChunkState::size_end: return byte == '\n' ? begin_chunk() : "a chunk's size is not followed by CR LF";
    case ChunkState::data_end: return expect('\r', ChunkState::data_feed);
    case ChunkState::data_feed: return expect('\n', ChunkState::size);
    case ChunkState::trailers:
      state_ = byte == '\r' ? ChunkState::last_feed : ChunkState::trailer;
      return byte == '\r' ? no_fault : skip(byte, ChunkState::trailer_end);
    case ChunkState::trailer: return skip(byte, ChunkState::trailer_end);
    case ChunkState::trailer_end: return expect('\n', ChunkState::trailers);
    case ChunkState::last_feed: return expect('\n', ChunkState::done);
    case ChunkState::data:
    case ChunkState::done: break;
  }
  return no_fault;
}

std::string_view ChunkedDecoder::take_size(char byte) {
  const int digit = ascii::hex_digit(byte);
  if (digit >= 0) {
    // Sixteen hex digits fill the number; more are rejected, even leading zeros.
    if (++digits_ > 16) return "a chunk's size has too many digits";
    chunk_ = chunk_ << 4 | static_cast<unsigned>(digit);
    return no_fault;
  }
  if (digits_ == 0) return "a chunk must begin with its size in hexadecimal digits";
  if (byte == ';') state_ = ChunkState::extension;
  if (byte == '\r') state_ = ChunkState::size_end;
  return byte == ';' || byte == '\r' ? no_fault : "a chunk's size must be followed by CR LF";
}

std::string_view ChunkedDecoder::begin_chunk() {
  digits_ = 0;
  if (chunk_ > left_) return too_big;
  left_ -= chunk_;
  state_ = chunk_ == 0 ? ChunkState::trailers : ChunkState::data;
  return no_fault;
}

std::string_view ChunkedDecoder::skip(char byte, ChunkState at_end) {
  if (byte == '\r') {
    state_ = at_end;
    return no_fault;
  }
  if (++skipped_ > max_skipped) return "the chunk extensions and trailers are too long";
  const bool allowed = consists_of(std::string_view(&byte, 1), char_class::field);
  return allowed ? no_fault : "a chunk extension or trailer holds a control character";
}

void append_chunk_size(std::string& out, std::size_t size) {
  std::array<char, 2 * sizeof(size)> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), size, 16).ptr;
  out.append(digits.begin(), end).append("\r\n");
}

}  // namespace fairlead::http
