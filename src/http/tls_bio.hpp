#pragma once

#include <cstddef>
#include <openssl/bio.h>

namespace fairlead::http {

/// A socket (not owned) and the number of bytes that OpenSSL may read before it must return. Without the limit, OpenSSL
/// would read on while a peer sends records without data, such as session tickets.
struct TlsSocket {
  int descriptor = -1;
  std::size_t allowance = 0;
};

/// Creates an OpenSSL BIO on the socket, which outlives it. The built-in socket BIO would raise SIGPIPE.
BIO* make_socket_bio(TlsSocket& wire);

}  // namespace fairlead::http
