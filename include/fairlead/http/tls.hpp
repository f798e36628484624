#pragma once

#include <fairlead/http/stream.hpp>
#include <memory>
#include <string>

namespace fairlead::http {

struct TlsContext;

/// All are PEM files.
struct TlsServerOptions {
  std::string certificate_file = {};  ///< Certificate chain without the root.
  std::string key_file = {};
  std::string client_ca_file = {};  ///< If set, clients must present a certificate signed by one of these CAs.
};

/// TLS configuration of a server: TLS 1.2 or newer. A cheap handle; thread-safe.
class TlsServer {
 public:
  static Result<TlsServer> load(const TlsServerOptions& options);

  const TlsContext& context() const { return *context_; }

 private:
  std::shared_ptr<const TlsContext> context_;
};

struct TlsClientOptions {
  /// CAs trusted in addition to those of the system, or of `SSL_CERT_FILE` and `SSL_CERT_DIR`.
  std::string ca_file = {};
  std::string certificate_file = {};  ///< Client certificate, for servers that request one.
  std::string key_file = {};
};

/// TLS configuration of a client. Certificate and host name of the server are always verified.
class TlsClient {
 public:
  static Result<TlsClient> load(const TlsClientOptions& options = {});

  const TlsContext& context() const { return *context_; }

 private:
  std::shared_ptr<const TlsContext> context_;
};

/// Starts TLS on a connection of `connect_plain`; the certificate must be valid for `host`.
Task<Result<std::unique_ptr<Stream>>> start_tls(std::unique_ptr<Stream> plain, TlsClient tls, std::string host);

}  // namespace fairlead::http
