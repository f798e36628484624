#include "transport/nosigpipe_write.hpp"

#include <cerrno>
#include <ctime>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fairlead::transport {
namespace {

bool is_socket(int descriptor) {
  struct stat about = {};
  return ::fstat(descriptor, &about) == 0 && S_ISSOCK(about.st_mode);
}

bool is_ignored() {
  struct sigaction action = {};
  return ::sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

NoSigpipeWriter::NoSigpipeWriter(int descriptor)
    : descriptor_(descriptor), is_socket_(is_socket(descriptor)), ignored_(is_ignored()) {}

ssize_t NoSigpipeWriter::write(std::string_view bytes) const {
  if (is_socket_) return ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (ignored_) return ::write(descriptor_, bytes.data(), bytes.size());
  return write_guarded(bytes);
}

// Pipes do not support MSG_NOSIGNAL: block the signal on this thread and remove it from the queue.
ssize_t NoSigpipeWriter::write_guarded(std::string_view bytes) const {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && sigismember(&pending, SIGPIPE) == 0) {
    const timespec at_once = {};
    while (sigtimedwait(&pipe_signal, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

}  // namespace fairlead::transport
