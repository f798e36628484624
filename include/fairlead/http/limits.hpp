#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>

namespace fairlead::http {

/// Limits and timeouts for a client connection. In brackets: the status that the client receives.
struct Limits {
  std::size_t head_bytes = 16 * 1024;         ///< Size of a request head (431).
  std::size_t header_count = 100;             ///< (431)
  std::size_t target_bytes = 8 * 1024;        ///< (414)
  std::size_t body_bytes = 64 * 1024 * 1024;  ///< (413)
  std::size_t pipelined_bytes = 64 * 1024;  ///< Bytes read ahead while a request is being handled; then reading pauses.
  std::size_t connections = 16 * 1024;      ///< For all workers together (503).

  Duration head_timeout = std::chrono::seconds{10};  ///< For a complete head, and for a TLS handshake (408).
  Duration body_timeout = std::chrono::seconds{30};  ///< Without a byte of the body (408).
  /// Without the client reading a byte; then the connection is closed.
  Duration write_timeout = std::chrono::seconds{30};
  Duration idle_timeout = std::chrono::seconds{60};   ///< Between two requests.
  Duration linger_timeout = std::chrono::seconds{2};  ///< For the client to close after the last response.
};

}  // namespace fairlead::http
