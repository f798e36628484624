#include <fairlead/http/connect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/tls.hpp>
#include <fmt/format.h>
#include <vector>

#include "http/address.hpp"
#include "http/socket_stream.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

using tcp = asio::ip::tcp;
using Connected = Result<std::unique_ptr<Stream>>;

constexpr auto as_value = asio::as_tuple(use_task);

std::unexpected<Error> failure(const boost::system::error_code& error, const std::string& doing) {
  if (error == asio::error::operation_aborted) return fail(ErrorKind::cancelled, "cancelled by the caller");
  return fail(ErrorKind::closed, fmt::format("{}: {}", doing, error.message()));
}

Task<Result<std::vector<tcp::endpoint>>> resolve(asio::any_io_executor executor, std::string host, std::uint16_t port) {
  boost::system::error_code no_address;
  if (const auto address = asio::ip::make_address(host, no_address); !no_address) {
    co_return std::vector{tcp::endpoint(address, port)};
  }
  tcp::resolver resolver(executor);
  const auto [error, found] = co_await resolver.async_resolve(host, std::to_string(port), as_value);
  if (error) co_return failure(error, "cannot find " + host);
  std::vector<tcp::endpoint> endpoints;
  for (const auto& entry : found) endpoints.push_back(entry.endpoint());
  co_return endpoints;
}

Task<Connected> connect_one(asio::io_context& context, tcp::endpoint endpoint, std::string where) {
  tcp::socket socket(context);
  const auto [error] = co_await socket.async_connect(endpoint, as_value);
  if (error) co_return failure(error, "cannot connect to " + where);
  RawSocket wire{.socket = Descriptor(socket.release())};
  disable_nagle(wire.socket.get());
  co_return std::make_unique<SocketStream>(context, std::move(wire));
}

Task<Connected> connect_any(EventLoop loop, std::string host, std::uint16_t port) {
  host = without_brackets(std::move(host));
  const auto context = context_of(loop);
  if (!context) co_return std::unexpected(context.error());
  const auto endpoints = co_await resolve(loop.executor, host, port);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  const auto where = fmt::format("{}:{}", host, port);
  Error last{.kind = ErrorKind::closed, .message = "cannot connect to " + where + ": it has no address"};
  for (const auto& endpoint : *endpoints) {
    auto stream = co_await connect_one(**context, endpoint, where);
    if (stream || stream.error().kind == ErrorKind::cancelled) co_return stream;
    last = std::move(stream.error());
  }
  co_return std::unexpected(std::move(last));
}

}  // namespace

Task<Connected> connect_plain(EventLoop loop, std::string host, std::uint16_t port, Deadline deadline) {
  auto connecting = connect_any(loop, std::move(host), port);
  co_return co_await with_deadline(loop.timers, deadline, std::move(connecting));
}

Task<Connected> start_tls(std::unique_ptr<Stream> plain, TlsClient tls, std::string host) {
  auto* socket = dynamic_cast<SocketStream*>(plain.get());
  if (socket == nullptr || socket->secure()) {
    co_return fail(ErrorKind::invalid, "TLS can be started once, on a connection of connect_plain()");
  }
  host = without_brackets(std::move(host));
  socket->begin_tls(tls.context(), host);
  auto done = co_await socket->do_handshake();
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(plain);
}

}  // namespace fairlead::http
