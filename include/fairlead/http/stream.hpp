#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <span>
#include <string_view>

namespace fairlead::http {

/// A connected socket, with or without TLS. A virtual interface, so that HTTP and WebSocket code is compiled once for
/// both.
///
/// Reads and writes never wait; on no progress, wait for readiness and try again. An idle connection therefore needs no
/// buffer. One waiter for reading and one for writing at a time, on one loop.
class Stream {
 public:
  virtual ~Stream() = default;

  /// Reads available bytes: returns their number, 0 at the orderly end of the peer, nothing if none are available yet.
  virtual Result<std::optional<std::size_t>> read_now(std::span<char> buffer) = 0;

  /// True if the last read emptied the socket, so that the next one would wait.
  virtual bool is_drained() const { return false; }

  /// Writes as much of the pieces, in order, as the socket accepts; nothing if it accepts none.
  virtual Result<std::optional<std::size_t>> write_now(std::span<const std::string_view> pieces) = 0;

  /// Wait until `read_now` or `write_now` can make progress. `closed` once the stream is closed, `cancelled` if the
  /// coroutine is cancelled. `readable` always yields to the loop, even if bytes are available, so that no connection
  /// starves the others.
  virtual Task<Result<void>> readable() = 0;
  virtual Task<Result<void>> writable() = 0;

  /// Bytes written and not yet acknowledged by the peer, if known; else 0.
  virtual std::size_t queued() { return 0; }

  /// Writes all bytes; `closed` if the connection breaks.
  Task<Result<void>> write(std::string_view bytes);

  /// Ends pending waits with `closed`. Idempotent.
  virtual void close() noexcept = 0;

  virtual bool secure() const = 0;
};

}  // namespace fairlead::http
