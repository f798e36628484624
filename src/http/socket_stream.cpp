#include "http/socket_stream.hpp"

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <system_error>

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

constexpr std::size_t most_pieces = 16;

std::unexpected<Error> closed_here() {
  return fail(ErrorKind::closed, "the connection was closed");
}

std::unexpected<Error> broken(int number) {
  return fail(ErrorKind::closed, std::system_category().message(number));
}

bool must_wait(int number) {
  return number == EAGAIN || number == EWOULDBLOCK;
}

}  // namespace

SocketStream::SocketStream(asio::io_context& context, Wire wire) : native_(context), tls_(std::move(wire.tls)) {
  boost::system::error_code error;
  native_.assign(wire.socket.get(), error);
  // On failure the loop has no room for another socket, and the stream counts as closed.
  if (!error) wire.socket.release();
}

SocketStream::~SocketStream() = default;

Result<std::optional<std::size_t>> SocketStream::read_now(std::span<char> buffer) {
  if (!native_.is_open()) return closed_here();
  if (tls_) return tls_->read(buffer);
  while (true) {
    const auto size = ::recv(native_.native_handle(), buffer.data(), buffer.size(), 0);
    if (size >= 0) return static_cast<std::size_t>(size);
    if (must_wait(errno)) return std::nullopt;
    if (errno != EINTR) return broken(errno);
  }
}

Result<std::optional<std::size_t>> SocketStream::write_now(std::span<const std::string_view> pieces) {
  if (!native_.is_open()) return closed_here();
  if (tls_) return tls_->write(pieces);
  std::array<iovec, most_pieces> parts;
  const auto count = std::min(pieces.size(), parts.size());
  for (std::size_t i = 0; i < count; ++i) parts[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
  msghdr message = {};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  while (true) {
    const auto size = ::sendmsg(native_.native_handle(), &message, MSG_NOSIGNAL);
    if (size >= 0) return static_cast<std::size_t>(size);
    if (must_wait(errno)) return std::nullopt;
    if (errno != EINTR) return broken(errno);
  }
}

SocketStream::Native::wait_type SocketStream::how(Wait wanted, Native::wait_type otherwise) {
  if (wanted == Wait::none) return otherwise;
  return wanted == Wait::readable ? Native::wait_read : Native::wait_write;
}

Task<Result<void>> SocketStream::readable() {
  if (may_read_at_once()) co_return Result<void>();
  co_return co_await wait(how(read_wait(), Native::wait_read));
}

Task<Result<void>> SocketStream::writable() {
  return wait(how(write_wait(), Native::wait_write));
}

Task<Result<void>> SocketStream::wait(Native::wait_type what) {
  const auto [error] = co_await native_.async_wait(what, asio::as_tuple(asio::use_awaitable));
  if (!native_.is_open()) co_return closed_here();
  if (!error) co_return Result<void>();
  if (error == asio::error::operation_aborted) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  co_return broken(error.value());
}

void SocketStream::close() noexcept {
  if (!native_.is_open()) return;
  if (tls_) tls_->say_goodbye();
  boost::system::error_code ignored;
  native_.close(ignored);
}

std::size_t SocketStream::queued() {
  int size = 0;
  if (native_.is_open()) ::ioctl(native_.native_handle(), SIOCOUTQ, &size);
  return static_cast<std::size_t>(size);
}

void SocketStream::end_output() noexcept {
  if (!native_.is_open()) return;
  if (tls_) tls_->say_goodbye();
  ::shutdown(native_.native_handle(), SHUT_WR);
}

void SocketStream::begin_tls(const TlsContext& context, const std::string& host) {
  tls_ = std::make_unique<TlsSession>(context, native_.native_handle());
  if (!context.is_server) tls_->expect(host);
}

Task<Result<void>> SocketStream::shake_hands() {
  while (true) {
    auto done = tls_->shake_hands();
    if (!done) co_return std::unexpected(std::move(done.error()));
    if (*done) co_return Result<void>();
    auto ready = co_await wait(how(read_wait(), Native::wait_read));
    if (!ready) co_return ready;
  }
}

Wire SocketStream::release() {
  return {.socket = Descriptor(native_.is_open() ? native_.release() : -1), .tls = std::move(tls_)};
}

Result<asio::io_context*> context_of(const Loop& loop) {
  const auto* executor = loop.executor.target<asio::io_context::executor_type>();
  if (executor != nullptr) return &executor->context();
  return fail(ErrorKind::invalid, "HTTP needs a loop whose executor is that of a boost::asio::io_context");
}

void send_without_delay(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

}  // namespace fairlead::http
