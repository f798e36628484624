#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <cstring>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/socket.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <vector>

#include "transport/socket_address.hpp"

namespace fairlead::transport {
namespace asio = boost::asio;

namespace {

using Connected = Result<std::unique_ptr<Transport>>;

bool is_writable(int socket) {
  pollfd about{.fd = socket, .events = POLLOUT, .revents = 0};
  return ::poll(&about, 1, 0) > 0;
}

Task<Result<Descriptor>> finish_connecting(asio::any_io_executor executor, Descriptor socket, std::string where) {
  asio::posix::stream_descriptor waiting(executor, socket.release());
  // A reused descriptor number can receive the event of its predecessor.
  while (!is_writable(waiting.native_handle())) {
    const auto [failure] =
        co_await waiting.async_wait(asio::posix::stream_descriptor::wait_write, asio::as_tuple(use_task));
    if (failure) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  }
  int error = 0;
  socklen_t size = sizeof(error);
  ::getsockopt(waiting.native_handle(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) co_return socket_error("cannot connect to " + where, error);
  co_return Descriptor(waiting.release());
}

Task<Result<Descriptor>> connect(asio::any_io_executor executor, SocketAddress address, std::string where) {
  auto socket = open_socket(address.family());
  if (!socket) co_return socket;
  if (::connect(socket->get(), address.get(), address.size) == 0) co_return socket;
  if (errno != EINPROGRESS) co_return socket_error("cannot connect to " + where, errno);
  co_return co_await finish_connecting(executor, std::move(*socket), where);
}

Task<Result<std::vector<SocketAddress>>> resolve(asio::any_io_executor executor, std::string host, std::uint16_t port) {
  if (const auto numeric = tcp_address(host, port)) co_return std::vector{*numeric};
  asio::ip::tcp::resolver resolver(executor);
  const auto [error, found] = co_await resolver.async_resolve(host, std::to_string(port), asio::as_tuple(use_task));
  if (error == asio::error::operation_aborted) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  if (error) co_return fail(ErrorKind::closed, fmt::format("cannot find {}: {}", host, error.message()));
  std::vector<SocketAddress> addresses;
  for (const auto& entry : found) {
    auto endpoint = entry.endpoint();
    SocketAddress address{.size = static_cast<socklen_t>(endpoint.size())};
    std::memcpy(&address.storage, endpoint.data(), endpoint.size());
    addresses.push_back(address);
  }
  co_return addresses;
}

std::unique_ptr<Transport> framed(const EventLoop& loop, Descriptor socket, FramedOptions options) {
  disable_nagle(socket.get());
  return std::make_unique<FramedTransport>(loop, std::make_unique<DescriptorStream>(loop, std::move(socket)),
                                           std::move(options));
}

}  // namespace

Task<Connected> connect_unix(EventLoop loop, std::string path, FramedOptions options) {
  const auto address = unix_address(path);
  if (!address) co_return std::unexpected(address.error());
  auto socket = co_await connect(loop.executor, *address, path);
  if (!socket) co_return std::unexpected(std::move(socket.error()));
  co_return framed(loop, std::move(*socket), std::move(options));
}

Task<Connected> connect_tcp(EventLoop loop, std::string host, std::uint16_t port, FramedOptions options) {
  const auto addresses = co_await resolve(loop.executor, host, port);
  if (!addresses) co_return std::unexpected(addresses.error());
  const auto where = fmt::format("{}:{}", host, port);
  Error last{.kind = ErrorKind::closed, .message = "cannot connect to " + where + ": it has no address"};
  for (const auto& address : *addresses) {
    auto socket = co_await connect(loop.executor, address, where);
    if (socket) co_return framed(loop, std::move(*socket), std::move(options));
    last = std::move(socket.error());
    if (last.kind == ErrorKind::cancelled) break;
  }
  co_return std::unexpected(std::move(last));
}

}  // namespace fairlead::transport
