#pragma once

#include <string>

namespace fairlead::http {

/// Where the system's trusted certificates are: SSL_CERT_FILE and SSL_CERT_DIR, or the defaults of OpenSSL.
struct TrustStore {
  std::string file, directory;
};

TrustStore system_trust_store();

}  // namespace fairlead::http
