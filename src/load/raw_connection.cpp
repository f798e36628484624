#include "load/raw_connection.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

#include "http/socket_stream.hpp"

namespace fairlead::load {
namespace {

constexpr Duration connect_timeout = std::chrono::seconds(10);

std::unexpected<Error> io_error(std::string_view doing, int code) {
  return fail(ErrorKind::closed, fmt::format("{}: {}", doing, std::system_category().message(code)));
}

Result<void> wait_for(int descriptor, short events, Duration timeout) {
  pollfd waiting{.fd = descriptor, .events = events, .revents = 0};
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count();
  const int ready = ::poll(&waiting, 1, static_cast<int>(milliseconds));
  if (ready > 0) return {};
  if (ready < 0 && errno == EINTR) return fail(ErrorKind::cancelled, "stopped by a signal");
  if (ready < 0) return io_error("cannot wait for the server", errno);
  return fail(ErrorKind::timeout, fmt::format("the server did not answer within {} ms", milliseconds));
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};

Result<Descriptor> connect_socket(const http::Url& url) {
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int found = ::getaddrinfo(url.host.c_str(), std::to_string(url.port).c_str(), &wanted, &list);
  if (found != 0) return fail(ErrorKind::closed, fmt::format("cannot find {}: {}", url.host, ::gai_strerror(found)));
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
  int code = 0;
  for (const auto* each = list; each != nullptr; each = each->ai_next) {
    Descriptor socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (socket && ::connect(socket.get(), each->ai_addr, each->ai_addrlen) == 0) return socket;
    code = errno;
  }
  return io_error(fmt::format("cannot connect to {}", url.authority()), code);
}

void set_nonblocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

}  // namespace

RawConnection::RawConnection(Descriptor in, Descriptor out) : in_(std::move(in)), out_(std::move(out)) {
  set_nonblocking(in_.get());
  if (out_) set_nonblocking(out_.get());
}

RawConnection::RawConnection(RawConnection&&) noexcept = default;
RawConnection& RawConnection::operator=(RawConnection&&) noexcept = default;
RawConnection::~RawConnection() = default;

Result<RawConnection> RawConnection::connect(const http::Url& url, const http::TlsClient* tls) {
  auto socket = connect_socket(url);
  if (!socket) return std::unexpected(std::move(socket.error()));
  http::disable_nagle(socket->get());
  RawConnection connection(std::move(*socket), {});
  if (tls != nullptr) {
    auto started = connection.start_tls(*tls, url.host);
    if (!started) return std::unexpected(std::move(started.error()));
  }
  return connection;
}

Result<void> RawConnection::start_tls(const http::TlsClient& tls, const std::string& host) {
  tls_ = std::make_unique<http::TlsSession>(tls.context(), in_.get());
  tls_->expect_host(host);
  while (true) {
    const auto done = tls_->do_handshake();
    if (!done) return std::unexpected(done.error());
    if (*done) return {};
    const bool writes = tls_->read_wait() == http::TlsSession::Wait::writable;
    if (auto ready = wait_for(in_.get(), writes ? POLLOUT : POLLIN, connect_timeout); !ready) return ready;
  }
}

bool RawConnection::may_read_at_once() const {
  return tls_ != nullptr && tls_->may_read_at_once();
}

Result<std::optional<std::size_t>> RawConnection::read_now(std::span<char> buffer) {
  if (tls_) {
    auto got = tls_->read(buffer);
    if (got && *got == 0) return fail(ErrorKind::closed, "the server closed the connection");
    return got;
  }
  const auto size = ::read(in_.get(), buffer.data(), buffer.size());
  if (size > 0) return static_cast<std::size_t>(size);
  if (size == 0) return fail(ErrorKind::closed, "the server closed the connection");
  if (errno == EAGAIN || errno == EINTR) return std::nullopt;
  return io_error("reading from the server", errno);
}

Result<std::optional<std::size_t>> RawConnection::write_now(std::string_view bytes) {
  if (tls_) return tls_->write(std::span(&bytes, 1));
  const auto size = ::write(out(), bytes.data(), bytes.size());
  if (size >= 0) return static_cast<std::size_t>(size);
  if (errno == EAGAIN || errno == EINTR) return std::nullopt;
  return io_error("writing to the server", errno);
}

Result<std::size_t> RawConnection::read(std::span<char> buffer, Duration timeout) {
  while (true) {
    auto got = read_now(buffer);
    if (!got) return std::unexpected(std::move(got.error()));
    if (*got) return **got;
    if (auto ready = wait_for(in(), POLLIN, timeout); !ready) return std::unexpected(std::move(ready.error()));
  }
}

Result<void> RawConnection::write(std::string_view bytes, Duration timeout) {
  while (!bytes.empty()) {
    const auto written = write_now(bytes);
    if (!written) return std::unexpected(written.error());
    bytes.remove_prefix(written->value_or(0));
    if (*written) continue;
    if (auto ready = wait_for(out(), POLLOUT, timeout); !ready) return ready;
  }
  return {};
}

}  // namespace fairlead::load
