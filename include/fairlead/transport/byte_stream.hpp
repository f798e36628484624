#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <span>
#include <string_view>

namespace fairlead::transport {

/// A bidirectional byte stream with one peer. One read and one write may be pending at the same time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// Reads at least one byte; returns 0 when the peer has closed its end.
  virtual Task<Result<std::size_t>> read(std::span<char> buffer) = 0;

  /// Writes all bytes; `closed` if the peer has gone.
  virtual Task<Result<void>> write(std::string_view bytes) = 0;

  /// Writes without waiting and returns the number of bytes written; `write` reports why it was 0.
  virtual std::size_t write_now(std::string_view) { return 0; }

  /// Ends a pending read and write with `closed`. Idempotent.
  virtual void close() noexcept = 0;
};

}  // namespace fairlead::transport
