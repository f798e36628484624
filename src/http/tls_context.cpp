#include "http/tls_context.hpp"

#include <openssl/err.h>
#include <string_view>

namespace fairlead::http {
namespace {

using Context = std::shared_ptr<TlsContext>;

// ALPN format: length, name.
constexpr std::string_view http_1_1 = "\x08http/1.1";

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::unexpected<Error> tls_failure(std::string doing) {
  return fail(ErrorKind::invalid, std::move(doing) + ": " + take_tls_error());
}

// Do not prompt for a passphrase.
int no_passphrase(char*, int, int, void*) {
  return 0;
}

Result<Context> make_context(bool is_server) {
  auto context = std::make_shared<TlsContext>();
  context->is_server = is_server;
  context->ssl.reset(SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method()));
  if (!context->ssl) return tls_failure("OpenSSL does not start");
  auto* ssl = context->ssl.get();
  SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION);
  SSL_CTX_set_options(ssl, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Release buffers of idle connections; read a whole record at once.
  SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(ssl, 1);
  SSL_CTX_set_default_passwd_cb(ssl, no_passphrase);
  return context;
}

Result<void> use_certificate(SSL_CTX* ssl, const std::string& certificate, const std::string& key) {
  if (SSL_CTX_use_certificate_chain_file(ssl, certificate.c_str()) != 1) {
    return tls_failure("cannot use the certificate file \"" + certificate + "\"");
  }
  if (SSL_CTX_use_PrivateKey_file(ssl, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return tls_failure("cannot use the key file \"" + key + "\" (it must not have a passphrase)");
  }
  if (SSL_CTX_check_private_key(ssl) != 1) return tls_failure("the key does not match the certificate");
  return {};
}

Result<void> trust(SSL_CTX* ssl, const std::string& file) {
  if (SSL_CTX_load_verify_locations(ssl, file.c_str(), nullptr) == 1) return {};
  return tls_failure("cannot use the CA file \"" + file + "\"");
}

Result<void> demand_client_certificate(SSL_CTX* ssl, const std::string& ca_file) {
  if (auto trusted = trust(ssl, ca_file); !trusted) return trusted;
  SSL_CTX_set_client_CA_list(ssl, SSL_load_client_CA_file(ca_file.c_str()));
  SSL_CTX_set_verify(ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return {};
}

int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* in, unsigned in_size,
                    void*) {
  unsigned char* chosen = nullptr;
  const auto size = static_cast<unsigned>(http_1_1.size());
  const int found = SSL_select_next_proto(&chosen, out_size, bytes(http_1_1), size, in, in_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

std::string take_tls_error() {
  const auto code = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "the file cannot be read" : reason;
}

Result<TlsServer> TlsServer::load(const TlsServerOptions& options) {
  if (options.certificate_file.empty() || options.key_file.empty()) {
    return fail(ErrorKind::invalid, "TLS needs a certificate file and its key file");
  }
  auto context = make_context(true);
  if (!context) return std::unexpected(std::move(context.error()));
  auto* ssl = (*context)->ssl.get();
  auto done = use_certificate(ssl, options.certificate_file, options.key_file);
  if (done && !options.client_ca_file.empty()) done = demand_client_certificate(ssl, options.client_ca_file);
  if (!done) return std::unexpected(std::move(done.error()));
  // Without one, OpenSSL refuses to resume sessions of clients with certificates.
  constexpr std::string_view sessions = "fairlead";
  SSL_CTX_set_session_id_context(ssl, bytes(sessions), sessions.size());
  SSL_CTX_set_alpn_select_cb(ssl, choose_protocol, nullptr);
  TlsServer server;
  server.context_ = std::move(*context);
  return server;
}

Result<TlsClient> TlsClient::load(const TlsClientOptions& options) {
  auto context = make_context(false);
  if (!context) return std::unexpected(std::move(context.error()));
  auto* ssl = (*context)->ssl.get();
  SSL_CTX_set_verify(ssl, SSL_VERIFY_PEER, nullptr);
  // Reads SSL_CERT_FILE and SSL_CERT_DIR.
  SSL_CTX_set_default_verify_paths(ssl);
  SSL_CTX_set_alpn_protos(ssl, bytes(http_1_1), static_cast<unsigned>(http_1_1.size()));
  Result<void> done;
  if (!options.ca_file.empty()) done = trust(ssl, options.ca_file);
  if (done && !options.certificate_file.empty()) {
    const auto& key = options.key_file.empty() ? options.certificate_file : options.key_file;
    done = use_certificate(ssl, options.certificate_file, key);
  }
  if (!done) return std::unexpected(std::move(done.error()));
  // A missing file named by the environment leaves an error in the queue.
  ERR_clear_error();
  TlsClient client;
  client.context_ = std::move(*context);
  return client;
}

}  // namespace fairlead::http
