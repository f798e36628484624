#pragma once

#include <fairlead/http/tls.hpp>
#include <openssl/ssl.h>

namespace fairlead::http {

struct FreeSsl {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* session) const { SSL_free(session); }
};

struct TlsContext {
  std::unique_ptr<SSL_CTX, FreeSsl> ssl;
  bool is_server = false;
};

/// Returns and clears the last OpenSSL error of this thread.
std::string take_tls_error();

}  // namespace fairlead::http
