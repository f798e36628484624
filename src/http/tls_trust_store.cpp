#include "http/tls_trust_store.hpp"

#include <cstdlib>
#include <openssl/x509.h>

namespace fairlead::http {
namespace {

std::string variable_or(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return value && *value ? value : otherwise;
}

}  // namespace

TrustStore system_trust_store() {
  return {.file = variable_or(X509_get_default_cert_file_env(), X509_get_default_cert_file()),
          .directory = variable_or(X509_get_default_cert_dir_env(), X509_get_default_cert_dir())};
}

}  // namespace fairlead::http
