#pragma once

#include <cstddef>
#include <openssl/bio.h>

namespace fairlead::http {

/// A socket that somebody else owns, and how many bytes OpenSSL may still read of it before it has to return: it reads
/// on by itself where a peer sends records that bring no data, such as session tickets, without end.
struct TlsWire {
  int descriptor = -1;
  std::size_t allowance = 0;
};

/// OpenSSL's way to such a socket, which outlives it. Its own would raise SIGPIPE.
BIO* make_socket_bio(TlsWire& wire);

}  // namespace fairlead::http
