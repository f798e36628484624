#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>

namespace fairlead::http {

/// What a server takes from a client, and how long it waits for it. In brackets what the client is told.
struct Limits {
  std::size_t head_bytes = 16 * 1024;         ///< Of a request's head (431).
  std::size_t header_count = 100;             ///< (431)
  std::size_t target_bytes = 8 * 1024;        ///< (414)
  std::size_t body_bytes = 64 * 1024 * 1024;  ///< (413)
  std::size_t pipelined_bytes = 64 * 1024;    ///< Taken in while a request is being served; what exceeds it waits.
  std::size_t connections = 16 * 1024;        ///< Over all workers (503).

  Duration head_time = std::chrono::seconds{10};    ///< For the whole head, and for a TLS handshake (408).
  Duration body_pause = std::chrono::seconds{30};   ///< Without a byte of the body (408).
  Duration write_pause = std::chrono::seconds{30};  ///< Without the client taking a byte; then it is cut off.
  Duration idle_time = std::chrono::seconds{60};    ///< Between two requests.
  Duration linger_time = std::chrono::seconds{2};   ///< For the client to close, once told that this was all.
};

}  // namespace fairlead::http
