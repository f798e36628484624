#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "http/head_parser.hpp"

namespace fairlead::http {

/// Takes a chunked body apart as its bytes arrive. Extensions are skipped and trailers dropped, both within bounds.
class ChunkedDecoder {
 public:
  explicit ChunkedDecoder(std::uint64_t max_body) : left_(max_body) {}

  /// Takes off `bytes` what belongs to the body and appends its data to `out`; true once that was all of it.
  std::expected<bool, HttpFault> feed(std::string_view& bytes, std::string& out);

 private:
  enum class State : std::uint8_t {
    size,
    extension,
    size_end,
    data,
    data_end,
    data_feed,
    trailers,
    trailer,
    trailer_end,
    last_feed,
    done
  };

  std::string_view step(char byte);
  std::string_view begin_chunk();
  std::string_view take_size(char byte);
  std::string_view skip(char byte, State at_end);

  std::uint64_t left_;       // What the body may still hold.
  std::uint64_t chunk_ = 0;  // What is missing of this chunk.
  unsigned digits_ = 0;
  unsigned skipped_ = 0;  // Bytes of extensions and trailers.
  State state_ = State::size;
};

/// The line before a chunk of that size.
void append_chunk_size(std::string& out, std::size_t size);

}  // namespace fairlead::http
