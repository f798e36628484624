#pragma once

#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/result.hpp>
#include <sys/socket.h>

namespace fairlead::transport {

/// A socket address of any family.
struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  sa_family_t family() const { return storage.ss_family; }
};

Result<SocketAddress> unix_address(const std::string& path);
/// `address` is an IP address; no name lookup.
Result<SocketAddress> tcp_address(const std::string& address, std::uint16_t port);

/// Creates a non-blocking stream socket with close-on-exec.
Result<Descriptor> open_socket(sa_family_t family);
void disable_nagle(int socket);

std::unexpected<Error> socket_error(const std::string& doing, int number);

}  // namespace fairlead::transport
