#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <fairlead/transport/framed_transport.hpp>

namespace fairlead::transport {

/// Connect to a Unix or TCP socket with newline-delimited messages; TCP uses TCP_NODELAY.
Task<Result<std::unique_ptr<Transport>>> connect_unix(EventLoop loop, std::string path,
                                                      FramedOptions options = FramedOptions());
Task<Result<std::unique_ptr<Transport>>> connect_tcp(EventLoop loop, std::string host, std::uint16_t port,
                                                     FramedOptions options = FramedOptions());

struct SocketListenerState;

/// Accepts connections on a Unix or TCP socket.
class SocketListener : NonCopyable {
 public:
  /// The socket file is accessible to this user only and is removed at the end. A stale file of a dead process is
  /// replaced; one that is in use is not.
  static Result<std::unique_ptr<SocketListener>> on_unix(EventLoop loop, std::string path,
                                                         FramedOptions options = FramedOptions());

  /// `address` is an IP address; port 0 selects a free port.
  static Result<std::unique_ptr<SocketListener>> on_tcp(EventLoop loop, std::uint16_t port,
                                                        std::string address = "127.0.0.1",
                                                        FramedOptions options = FramedOptions());
  ~SocketListener();

  Task<Result<std::unique_ptr<Transport>>> accept();

  /// Ends a pending `accept` with `closed`. Idempotent.
  void close() noexcept;

  /// TCP only.
  std::uint16_t port() const;

 private:
  explicit SocketListener(std::unique_ptr<SocketListenerState> state);

  std::unique_ptr<SocketListenerState> state_;
};

}  // namespace fairlead::transport
