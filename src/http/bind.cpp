#include "http/bind.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <fmt/format.h>
#include <sys/socket.h>
#include <system_error>

namespace fairlead::http {
namespace {

using Endpoint = boost::asio::ip::tcp::endpoint;

enum class Sharing : std::uint8_t { alone, shared };

std::unexpected<Error> failure(const Endpoint& where, int number) {
  const auto* const advice = number == EADDRINUSE ? "; stop the process that uses it or choose another port" : "";
  Error error{.kind = ErrorKind::invalid,
              .message = fmt::format("cannot listen on {} port {}: {}{}", where.address().to_string(), where.port(),
                                     std::system_category().message(number), advice)};
  if (number == EADDRINUSE) error.cause = cause_port_in_use;
  return std::unexpected(std::move(error));
}

Result<Descriptor> bind_one(const Endpoint& where, Sharing sharing) {
  Descriptor socket(::socket(where.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return failure(where, errno);
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (sharing == Sharing::shared) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof(yes));
  if (::bind(socket.get(), where.data(), static_cast<socklen_t>(where.size())) != 0) return failure(where, errno);
  return socket;
}

Result<Descriptor> listen_on(const Endpoint& where, Sharing sharing) {
  auto socket = bind_one(where, sharing);
  if (!socket) return socket;
  if (::listen(socket->get(), SOMAXCONN) != 0) return failure(where, errno);
  return socket;
}

Result<std::uint16_t> port_of(const Descriptor& socket, Endpoint where) {
  auto size = static_cast<socklen_t>(where.capacity());
  if (::getsockname(socket.get(), where.data(), &size) != 0) return failure(where, errno);
  return where.port();
}

}  // namespace

Result<Bound> bind_port(const std::string& host, std::uint16_t port, std::size_t count) {
  boost::system::error_code error;
  Endpoint where(boost::asio::ip::make_address(host, error), port);
  if (error) return fail(ErrorKind::invalid, fmt::format("\"{}\" is not an IP address to listen on", host));
  const auto sharing = count > 1 ? Sharing::shared : Sharing::alone;
  // With SO_REUSEPORT a second process of the same user could bind the port: detect that first.
  if (port != 0 && sharing == Sharing::shared) {
    const auto probe = bind_one(where, Sharing::alone);
    if (!probe) return std::unexpected(probe.error());
  }
  Bound bound;
  while (bound.sockets.size() < count) {
    auto socket = listen_on(where, sharing);
    if (!socket) return std::unexpected(std::move(socket.error()));
    const auto taken = port_of(*socket, where);
    if (!taken) return std::unexpected(taken.error());
    where.port(*taken);
    bound.sockets.push_back(std::move(*socket));
  }
  bound.port = where.port();
  return bound;
}

}  // namespace fairlead::http
