#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace fairlead::http {

/// A connected socket, plain or under TLS: erased here once, so that HTTP and WebSocket are compiled once for both.
///
/// Reading and writing never wait; who gets nothing waits for readiness and tries again. An idle connection so needs no
/// buffer of its own. One waits for reading and one for writing at a time, on one loop.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Bytes that are there: how many, 0 at the peer's orderly end, nothing if there are none yet.
  virtual Result<std::optional<std::size_t>> read_now(std::span<char> buffer) = 0;

  /// Whether the last read has left nothing behind, so that the next one has to wait.
  virtual bool is_drained() const { return false; }

  /// As much of the pieces, in their order, as the socket takes now; nothing if it takes none.
  virtual Result<std::optional<std::size_t>> write_now(std::span<const std::string_view> pieces) = 0;

  /// Until `read_now` or `write_now` is worth another try. `closed` once the stream is, `cancelled` if the coroutine
  /// is. `readable` always gives the loop a turn, also where bytes are there already: readers rely on it to be fair.
  virtual Task<Result<void>> readable() = 0;
  virtual Task<Result<void>> writable() = 0;

  /// Bytes that were written and that the peer has not acknowledged, where that is known; else 0.
  virtual std::size_t queued() { return 0; }

  /// All of it, or `closed`.
  Task<Result<void>> write(std::string_view bytes);

  /// Ends pending waits with `closed`. Closing twice is harmless.
  virtual void close() noexcept = 0;

  virtual bool secure() const = 0;
};

}  // namespace fairlead::http
