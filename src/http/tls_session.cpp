#include "http/tls_session.hpp"

#include <algorithm>
#include <array>
#include <fairlead/base/base64.hpp>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "base/read_budget.hpp"
#include "http/address.hpp"

namespace fairlead::http {
namespace {

// Maximum size of a TLS record.
constexpr std::size_t max_record = 16 * 1024;

Error closed_error(std::string why) {
  return {.kind = ErrorKind::closed, .message = std::move(why)};
}

}  // namespace

TlsSession::TlsSession(const TlsContext& context, int descriptor)
    : wire_{.descriptor = descriptor}, ssl_(SSL_new(context.ssl.get())) {
  auto* bio = make_socket_bio(wire_);
  SSL_set_bio(ssl_.get(), bio, bio);
  if (context.is_server) {
    SSL_set_accept_state(ssl_.get());
  } else {
    SSL_set_connect_state(ssl_.get());
  }
}

void TlsSession::expect_host(const std::string& host) {
  if (is_ip_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
    return;
  }
  SSL_set_hostflags(ssl_.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  SSL_set1_host(ssl_.get(), host.c_str());
  SSL_set_tlsext_host_name(ssl_.get(), host.c_str());
}

Result<bool> TlsSession::do_handshake() {
  ERR_clear_error();
  wire_.allowance = ReadBudget::bytes_per_turn;
  const int outcome = SSL_do_handshake(ssl_.get());
  if (outcome == 1) {
    read_wait_ = Wait::none;
    return true;
  }
  if (auto error = must_wait(outcome, read_wait_)) return std::unexpected(std::move(*error));
  return false;
}

Result<std::optional<std::size_t>> TlsSession::read(std::span<char> buffer) {
  if (broken_) return std::unexpected(broken_error());
  ERR_clear_error();
  wire_.allowance = ReadBudget::bytes_per_turn;
  std::size_t size = 0;
  const int outcome = SSL_read_ex(ssl_.get(), buffer.data(), buffer.size(), &size);
  read_wait_ = Wait::none;
  if (outcome == 1) return size;
  if (SSL_get_error(ssl_.get(), outcome) == SSL_ERROR_ZERO_RETURN) return std::size_t{0};
  if (auto error = must_wait(outcome, read_wait_)) return std::unexpected(std::move(*error));
  return std::nullopt;
}

// Short pieces are joined to one record, because each record has a fixed cost. After a partial write OpenSSL must get
// the same bytes again.
Result<std::optional<std::size_t>> TlsSession::write(std::span<const std::string_view> pieces) {
  if (broken_) return std::unexpected(broken_error());
  if (pieces.size() == 1) return write_one(pieces.front());
  std::array<char, max_record> record;
  std::size_t size = 0;
  for (const auto piece : pieces) {
    const auto taken = piece.substr(0, record.size() - size);
    std::ranges::copy(taken, record.begin() + static_cast<std::ptrdiff_t>(size));
    size += taken.size();
  }
  return write_one({record.data(), size});
}

Result<std::optional<std::size_t>> TlsSession::write_one(std::string_view piece) {
  if (piece.empty()) return std::size_t{0};
  ERR_clear_error();
  wire_.allowance = ReadBudget::bytes_per_turn;
  std::size_t size = 0;
  const int outcome = SSL_write_ex(ssl_.get(), piece.data(), piece.size(), &size);
  write_wait_ = Wait::none;
  if (outcome == 1) return size;
  if (auto error = must_wait(outcome, write_wait_)) return std::unexpected(std::move(*error));
  return std::nullopt;
}

void TlsSession::send_close_notify() noexcept {
  if (broken_ || !SSL_is_init_finished(ssl_.get())) return;
  ERR_clear_error();
  SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

std::optional<Error> TlsSession::must_wait(int outcome, Wait& wait) {
  switch (SSL_get_error(ssl_.get(), outcome)) {
    case SSL_ERROR_WANT_READ: wait = Wait::readable; return std::nullopt;
    case SSL_ERROR_WANT_WRITE: wait = Wait::writable; return std::nullopt;
    default: broken_ = true; return broken_error();
  }
}

Error TlsSession::broken_error() {
  const auto verdict = SSL_get_verify_result(ssl_.get());
  if (verdict != X509_V_OK && SSL_is_server(ssl_.get()) == 0) {
    ERR_clear_error();
    return closed_error(std::string("the server's certificate is not trusted: ") +
                        X509_verify_cert_error_string(verdict) + " (if the server is trusted, give its CA file)");
  }
  const auto code = ERR_peek_last_error();
  ERR_clear_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return closed_error(reason == nullptr ? std::string("the peer closed the TLS connection")
                                        : std::string("TLS failed: ") + reason);
}

std::string TlsSession::peer_subject() const {
  X509* certificate = SSL_get0_peer_certificate(ssl_.get());
  if (certificate == nullptr) return {};
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), &BIO_free);
  X509_NAME_print_ex(text.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(text.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string TlsSession::peer_thumbprint() const {
  const X509* certificate = SSL_get0_peer_certificate(ssl_.get());
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned int size = 0;
  if (certificate == nullptr || X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
  return base64_encode({reinterpret_cast<const char*>(digest.data()), size}, Base64::url);
}

}  // namespace fairlead::http
