#pragma once

#include <openssl/bio.h>

namespace fairlead::http {

/// OpenSSL's way to a socket that somebody else owns. Its own would raise SIGPIPE.
BIO* make_socket_bio(int descriptor);

}  // namespace fairlead::http
