#include "http/tls_bio.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

namespace fairlead::http {
namespace {

TlsSocket& wire_of(BIO* bio) {
  return *static_cast<TlsSocket*>(BIO_get_data(bio));
}

bool must_retry() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

int read_bytes(BIO* bio, char* buffer, int size) {
  BIO_clear_retry_flags(bio);
  auto& wire = wire_of(bio);
  if (wire.allowance == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  const auto got = ::recv(wire.descriptor, buffer, static_cast<std::size_t>(size), 0);
  if (got > 0) wire.allowance -= std::min(wire.allowance, static_cast<std::size_t>(got));
  if (got < 0 && must_retry()) BIO_set_retry_read(bio);
  if (got == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return static_cast<int>(got);
}

int write_bytes(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto sent = ::send(wire_of(bio).descriptor, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (sent < 0 && must_retry()) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

long control(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_FLUSH) return 1;
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return 0;
}

BIO_METHOD* make_method() {
  auto* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "fairlead socket");
  BIO_meth_set_read(method, read_bytes);
  BIO_meth_set_write(method, write_bytes);
  BIO_meth_set_ctrl(method, control);
  return method;
}

}  // namespace

BIO* make_socket_bio(TlsSocket& wire) {
  static BIO_METHOD* const method = make_method();
  auto* bio = BIO_new(method);
  BIO_set_data(bio, &wire);
  BIO_set_init(bio, 1);
  return bio;
}

}  // namespace fairlead::http
