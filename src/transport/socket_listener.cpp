#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/transport/descriptor_stream.hpp>
#include <fairlead/transport/socket.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/socket_address.hpp"

namespace fairlead::transport {
namespace asio = boost::asio;

namespace {

using Native = asio::posix::stream_descriptor;

// Connections accepted before yielding to the loop.
constexpr int max_accepts_per_turn = 64;

bool is_served(const SocketAddress& address) {
  const auto socket = open_socket(AF_UNIX);
  // A busy server is still in use.
  return !socket || ::connect(socket->get(), address.get(), address.size) == 0 || errno == EAGAIN;
}

// Removes the socket file of a dead server.
Result<void> remove_stale(const std::string& path, const SocketAddress& address) {
  struct stat about = {};
  if (::lstat(path.c_str(), &about) != 0) return {};
  if (!S_ISSOCK(about.st_mode)) return fail(ErrorKind::invalid, path + " is not a socket: choose another path");
  if (is_served(address)) return fail(ErrorKind::invalid, path + " is served by another process: choose another path");
  ::unlink(path.c_str());
  return {};
}

Result<Descriptor> listen_on(const SocketAddress& address, const std::string& where) {
  auto socket = open_socket(address.family());
  if (!socket) return socket;
  if (address.family() == AF_UNIX) {
    // Set before bind, so that the path never has wider permissions.
    ::fchmod(socket->get(), S_IRUSR | S_IWUSR);
  } else {
    const int yes = 1;
    ::setsockopt(socket->get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  }
  if (::bind(socket->get(), address.get(), address.size) != 0) return socket_error("cannot bind " + where, errno);
  if (::listen(socket->get(), SOMAXCONN) != 0) return socket_error("cannot listen on " + where, errno);
  return socket;
}

std::uint16_t port_of(int socket) {
  SocketAddress address{.size = sizeof(sockaddr_storage)};
  if (::getsockname(socket, address.get(), &address.size) != 0) return 0;
  // The port is at the same offset for both families.
  const auto* bytes = reinterpret_cast<const unsigned char*>(address.get()) + sizeof(sa_family_t);
  return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]);
}

}  // namespace

struct SocketListenerState {
  SocketListenerState(EventLoop where, FramedOptions how, Descriptor socket)
      : loop(std::move(where)), options(std::move(how)), listening(loop.executor) {
    boost::system::error_code error;
    listening.assign(socket.get(), error);
    if (!error) socket.release();
  }
  ~SocketListenerState() {
    struct stat about = {};
    // Only if the path still is our socket.
    const bool ours = !path.empty() && ::lstat(path.c_str(), &about) == 0 && about.st_ino == inode;
    if (ours) ::unlink(path.c_str());
  }

  EventLoop loop;
  FramedOptions options;
  Native listening;
  int accepted = 0;  // Since the last yield.
  std::string path;
  ino_t inode = 0;
};

SocketListener::SocketListener(std::unique_ptr<SocketListenerState> state) : state_(std::move(state)) {}

SocketListener::~SocketListener() = default;

Result<std::unique_ptr<SocketListener>> SocketListener::on_unix(EventLoop loop, std::string path,
                                                                FramedOptions options) {
  const auto address = unix_address(path);
  if (!address) return std::unexpected(address.error());
  if (auto cleared = remove_stale(path, *address); !cleared) return std::unexpected(std::move(cleared.error()));
  auto socket = listen_on(*address, path);
  if (!socket) return std::unexpected(std::move(socket.error()));
  auto state = std::make_unique<SocketListenerState>(std::move(loop), std::move(options), std::move(*socket));
  struct stat about = {};
  if (::lstat(path.c_str(), &about) == 0) state->inode = about.st_ino;
  state->path = std::move(path);
  return std::unique_ptr<SocketListener>(new SocketListener(std::move(state)));
}

Result<std::unique_ptr<SocketListener>> SocketListener::on_tcp(EventLoop loop, std::uint16_t port, std::string address,
                                                               FramedOptions options) {
  const auto where = tcp_address(address, port);
  if (!where) return std::unexpected(where.error());
  auto socket = listen_on(*where, address + ":" + std::to_string(port));
  if (!socket) return std::unexpected(std::move(socket.error()));
  auto state = std::make_unique<SocketListenerState>(std::move(loop), std::move(options), std::move(*socket));
  return std::unique_ptr<SocketListener>(new SocketListener(std::move(state)));
}

Task<Result<std::unique_ptr<Transport>>> SocketListener::accept() {
  auto& state = *state_;
  while (state.listening.is_open()) {
    if (++state.accepted >= max_accepts_per_turn) {
      state.accepted = 0;
      co_await asio::post(state.loop.executor, use_task);
      continue;
    }
    Descriptor peer(::accept4(state.listening.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (peer) {
      disable_nagle(peer.get());
      auto stream = std::make_unique<DescriptorStream>(state.loop, std::move(peer));
      co_return std::make_unique<FramedTransport>(state.loop, std::move(stream), state.options);
    }
    // A peer that disconnected before it was accepted is not an error.
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno != EAGAIN) co_return socket_error("cannot accept a connection", errno);
    state.accepted = 0;
    const auto [error] = co_await state.listening.async_wait(Native::wait_read, asio::as_tuple(use_task));
    if (!state.listening.is_open()) break;
    if (error) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
  }
  co_return fail(ErrorKind::closed, "the listener was closed");
}

void SocketListener::close() noexcept {
  boost::system::error_code ignored;
  state_->listening.close(ignored);
}

std::uint16_t SocketListener::port() const {
  return state_->listening.is_open() ? port_of(state_->listening.native_handle()) : 0;
}

}  // namespace fairlead::transport
