#pragma once

#include <cstdint>
#include <fairlead/base/loop.hpp>
#include <fairlead/transport/framed_transport.hpp>
#include <memory>
#include <string>

namespace fairlead::transport {

/// Lines over a Unix socket, or over TCP without delay.
Task<Result<std::unique_ptr<Transport>>> connect_unix(Loop loop, std::string path,
                                                      FramedOptions options = FramedOptions());
Task<Result<std::unique_ptr<Transport>>> connect_tcp(Loop loop, std::string host, std::uint16_t port,
                                                     FramedOptions options = FramedOptions());

/// Waits for peers that connect.
class SocketListener {
 public:
  /// The path is readable and writable for this user alone, and is removed at the end. One that a dead process has left
  /// behind is replaced; one that is served is not.
  static Result<std::unique_ptr<SocketListener>> on_unix(Loop loop, std::string path,
                                                         FramedOptions options = FramedOptions());

  /// An address, not a name; port 0 takes any free one.
  static Result<std::unique_ptr<SocketListener>> on_tcp(Loop loop, std::uint16_t port,
                                                        std::string address = "127.0.0.1",
                                                        FramedOptions options = FramedOptions());
  SocketListener(const SocketListener&) = delete;
  SocketListener& operator=(const SocketListener&) = delete;
  ~SocketListener();

  Task<Result<std::unique_ptr<Transport>>> accept();

  /// Ends a pending `accept` with `closed`. Closing twice is harmless.
  void close() noexcept;

  /// For TCP.
  std::uint16_t port() const;

 private:
  struct State;
  explicit SocketListener(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace fairlead::transport
