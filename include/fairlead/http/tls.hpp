#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/stream.hpp>
#include <memory>
#include <string>

namespace fairlead::http {

struct TlsContext;

/// All are PEM files.
struct TlsServerOptions {
  std::string certificate_file = {};  ///< With the chain up to, but without, the root.
  std::string key_file = {};
  std::string client_ca_file = {};  ///< Where set, a client must show a certificate that one of these has signed.
};

/// A server's certificate and rules: TLS 1.2 or newer. A value to pass around; threads may share it.
class TlsServer {
 public:
  static Result<TlsServer> load(const TlsServerOptions& options);

  const TlsContext& context() const { return *context_; }

 private:
  std::shared_ptr<const TlsContext> context_;
};

struct TlsClientOptions {
  std::string ca_file = {};           ///< Trusted besides the system's own, or `SSL_CERT_FILE` and `SSL_CERT_DIR`.
  std::string certificate_file = {};  ///< Shown to servers that ask for one.
  std::string key_file = {};
};

/// Whom a client trusts. The server's certificate and name are always verified.
class TlsClient {
 public:
  static Result<TlsClient> load(const TlsClientOptions& options = {});

  const TlsContext& context() const { return *context_; }

 private:
  std::shared_ptr<const TlsContext> context_;
};

/// Puts TLS on a connection of `connect_plain`; `host` is the name or address that the certificate must be for.
Task<Result<std::unique_ptr<Stream>>> start_tls(std::unique_ptr<Stream> plain, TlsClient tls, std::string host);

}  // namespace fairlead::http
