#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <span>
#include <string_view>

namespace fairlead::transport {

/// Bytes both ways, with one peer. A read and a write may be under way at the same time, two of a kind may not.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// At least one byte, or 0 when the peer has closed its end in good order.
  virtual Task<Result<std::size_t>> read(std::span<char> buffer) = 0;

  /// All of it, or `closed`.
  virtual Task<Result<void>> write(std::string_view bytes) = 0;

  /// How many of them leave without a wait; `write` tells why it was none.
  virtual std::size_t write_now(std::string_view) { return 0; }

  /// Ends a pending read and write with `closed`. Closing twice is harmless.
  virtual void close() noexcept = 0;
};

}  // namespace fairlead::transport
