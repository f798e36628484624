#pragma once

#include <string>

#include "http/head_parser.hpp"

namespace fairlead::http {

/// Incremental decoder of a chunked body. Extensions and trailers are skipped; their size is limited.
class ChunkedDecoder {
 public:
  explicit ChunkedDecoder(std::uint64_t max_body) : left_(max_body) {}

  /// Consumes the part of `bytes` that belongs to the body and appends its data to `out`; true at the end of the body.
  std::expected<bool, HttpParseError> feed(std::string_view& bytes, std::string& out);

 private:
  enum class ChunkState : std::uint8_t {
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
  std::string_view skip(char byte, ChunkState at_end);

  std::uint64_t left_;       // Remaining size limit of the body.
  std::uint64_t chunk_ = 0;  // Remaining bytes of this chunk.
  unsigned digits_ = 0;
  unsigned skipped_ = 0;  // Bytes of extensions and trailers.
  ChunkState state_ = ChunkState::size;
};

/// Appends the size line of a chunk.
void append_chunk_size(std::string& out, std::size_t size);

}  // namespace fairlead::http
