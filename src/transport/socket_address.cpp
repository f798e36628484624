#include "transport/socket_address.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>
#include <system_error>

namespace fairlead::transport {

std::unexpected<Error> socket_error(const std::string& doing, int number) {
  return fail(ErrorKind::closed, doing + ": " + std::system_category().message(number));
}

Result<SocketAddress> unix_address(const std::string& path) {
  sockaddr_un local = {};
  if (path.empty() || path.size() >= sizeof(local.sun_path)) {
    return fail(ErrorKind::invalid, "the socket path \"" + path + "\" must have 1 to " +
                                        std::to_string(sizeof(local.sun_path) - 1) + " bytes");
  }
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path, path.data(), path.size());
  SocketAddress address{.size = sizeof(local)};
  std::memcpy(&address.storage, &local, sizeof(local));
  return address;
}

Result<SocketAddress> tcp_address(const std::string& address, std::uint16_t port) {
  SocketAddress result;
  sockaddr_in four = {};
  sockaddr_in6 six = {};
  if (::inet_pton(AF_INET, address.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    result.size = sizeof(four);
    std::memcpy(&result.storage, &four, sizeof(four));
    return result;
  }
  if (::inet_pton(AF_INET6, address.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    result.size = sizeof(six);
    std::memcpy(&result.storage, &six, sizeof(six));
    return result;
  }
  return fail(ErrorKind::invalid, "\"" + address + "\" is not an IP address; write it like 127.0.0.1");
}

Result<Descriptor> open_socket(sa_family_t family) {
  Descriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return socket_error("cannot open a socket", errno);
  return socket;
}

void disable_nagle(int socket) {
  const int yes = 1;
  // Fails for Unix sockets, which have no Nagle delay.
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

}  // namespace fairlead::transport
