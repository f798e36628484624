#include "http/tls_bio.hpp"

#include <cerrno>
#include <cstdint>
#include <sys/socket.h>

namespace fairlead::http {
namespace {

int descriptor_of(BIO* bio) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

bool must_retry() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

int read_bytes(BIO* bio, char* buffer, int size) {
  BIO_clear_retry_flags(bio);
  const auto got = ::recv(descriptor_of(bio), buffer, static_cast<std::size_t>(size), 0);
  if (got < 0 && must_retry()) BIO_set_retry_read(bio);
  if (got == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return static_cast<int>(got);
}

int write_bytes(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto sent = ::send(descriptor_of(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
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

BIO* make_socket_bio(int descriptor) {
  static BIO_METHOD* const method = make_method();
  auto* bio = BIO_new(method);
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)));
  BIO_set_init(bio, 1);
  return bio;
}

}  // namespace fairlead::http
