#include "http/socket_stream.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <system_error>

#include "base/next_turn.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

constexpr std::size_t max_pieces = 16;

std::unexpected<Error> closed_here() {
  return fail(ErrorKind::closed, "the connection was closed");
}

std::unexpected<Error> broken(int number) {
  return fail(ErrorKind::closed, std::system_category().message(number));
}

bool must_wait(int number) {
  return number == EAGAIN || number == EWOULDBLOCK;
}

ssize_t send_gathered(int socket, std::span<const std::string_view> pieces) {
  std::array<iovec, max_pieces> parts;
  const auto count = std::min(pieces.size(), parts.size());
  for (std::size_t i = 0; i < count; ++i) parts[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
  msghdr message = {};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  return ::sendmsg(socket, &message, MSG_NOSIGNAL);
}

}  // namespace

SocketStream::SocketStream(asio::io_context& context, RawSocket wire)
    : socket_(context.get_executor()), tls_(std::move(wire.tls)) {
  socket_.open(std::move(wire.socket));
}

SocketStream::~SocketStream() = default;

Result<std::optional<std::size_t>> SocketStream::read_now(std::span<char> buffer) {
  if (!socket_.is_open()) return closed_here();
  if (tls_) return tls_->read(buffer);
  while (true) {
    const auto size = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    drained_ = size < 0 ? must_wait(errno) : size > 0 && static_cast<std::size_t>(size) < buffer.size();
    if (size >= 0) return static_cast<std::size_t>(size);
    if (must_wait(errno)) return std::nullopt;
    if (errno != EINTR) return broken(errno);
  }
}

Result<std::optional<std::size_t>> SocketStream::write_now(std::span<const std::string_view> pieces) {
  if (!socket_.is_open()) return closed_here();
  if (tls_) return tls_->write(pieces);
  while (true) {
    const auto size = pieces.size() == 1 ? ::send(socket_.get(), pieces[0].data(), pieces[0].size(), MSG_NOSIGNAL)
                                         : send_gathered(socket_.get(), pieces);
    if (size >= 0) return static_cast<std::size_t>(size);
    if (must_wait(errno)) return std::nullopt;
    if (errno != EINTR) return broken(errno);
  }
}

Task<Result<void>> SocketStream::readable() {
  return may_read_at_once() ? readable_in_next_turn() : wait(reads_by_writing());
}

Task<Result<void>> SocketStream::readable_in_next_turn() {
  co_await next_turn;
  if (!socket_.is_open()) co_return closed_here();
  co_return Result<void>();
}

Task<Result<void>> SocketStream::writable() {
  return wait(!writes_by_reading());
}

Task<Result<void>> SocketStream::wait(bool can_write) {
  if (!socket_.is_open()) co_return closed_here();
  drained_ = false;
  auto readiness = can_write ? socket_.writable() : socket_.readable();
  const bool ready = co_await std::move(readiness);
  if (!socket_.is_open()) co_return closed_here();
  if (!ready) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  co_return Result<void>();
}

void SocketStream::close() noexcept {
  if (!socket_.is_open()) return;
  if (tls_) tls_->send_close_notify();
  socket_.close();
}

std::string SocketStream::peer_address() const {
  sockaddr_storage peer = {};
  socklen_t size = sizeof peer;
  if (::getpeername(socket_.get(), reinterpret_cast<sockaddr*>(&peer), &size) != 0) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* address = peer.ss_family == AF_INET
                            ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(peer).sin_addr)
                            : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr);
  return ::inet_ntop(peer.ss_family, address, text.data(), text.size()) ? text.data() : "";
}

std::size_t SocketStream::queued() {
  int size = 0;
  if (socket_.is_open()) ::ioctl(socket_.get(), SIOCOUTQ, &size);
  return static_cast<std::size_t>(size);
}

void SocketStream::end_output() noexcept {
  if (!socket_.is_open()) return;
  if (tls_) tls_->send_close_notify();
  ::shutdown(socket_.get(), SHUT_WR);
}

void SocketStream::begin_tls(const TlsContext& context, const std::string& host) {
  tls_ = std::make_unique<TlsSession>(context, socket_.get());
  if (!context.is_server) tls_->expect_host(host);
}

Task<Result<void>> SocketStream::do_handshake() {
  while (true) {
    auto done = tls_->do_handshake();
    if (!done) co_return std::unexpected(std::move(done.error()));
    if (*done) co_return Result<void>();
    auto ready = co_await wait(reads_by_writing());
    if (!ready) co_return ready;
  }
}

RawSocket SocketStream::release() {
  return {.socket = Descriptor(socket_.release()), .tls = std::move(tls_)};
}

Result<asio::io_context*> context_of(const EventLoop& loop) {
  const auto* executor = loop.executor.target<asio::io_context::executor_type>();
  if (executor != nullptr) return &executor->context();
  return fail(ErrorKind::invalid, "HTTP needs a loop whose executor is that of a boost::asio::io_context");
}

void disable_nagle(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

}  // namespace fairlead::http
