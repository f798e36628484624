#pragma once

#include <cstddef>
#include <cstdint>
#include <fairlead/base/result.hpp>
#include <memory>
#include <openssl/ssl.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/tls_bio.hpp"
#include "http/tls_context.hpp"

namespace fairlead::http {

/// TLS on a non-blocking descriptor that is not owned. Used by one thread at a time.
///
/// A read may need to write and a write to read; `read_wait` and `write_wait` say what to wait for.
class TlsSession {
 public:
  enum class Wait : std::uint8_t { none, readable, writable };

  TlsSession(const TlsContext& context, int descriptor);
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Client: host name or address that the certificate must be valid for.
  void expect_host(const std::string& host);

  /// Continues the handshake. True once complete; before, wait for `read_wait`.
  Result<bool> do_handshake();
  Result<std::optional<std::size_t>> read(std::span<char> buffer);
  Result<std::optional<std::size_t>> write(std::span<const std::string_view> pieces);
  /// Sends close_notify.
  void send_close_notify() noexcept;

  /// True if decrypted bytes are buffered.
  bool may_read_at_once() const { return read_wait_ == Wait::none && SSL_has_pending(ssl_.get()) == 1; }
  Wait read_wait() const { return read_wait_; }
  Wait write_wait() const { return write_wait_; }

  /// Subject of the peer's certificate; empty if it sent none.
  std::string peer_subject() const;
  /// SHA-256 of the peer's certificate in base64url, as in `x5t#S256` (RFC 8705, 3.1); empty if it sent none.
  std::string peer_thumbprint() const;

 private:
  Result<std::optional<std::size_t>> write_one(std::string_view piece);
  std::optional<Error> must_wait(int outcome, Wait& wait);
  Error broken_error();

  TlsSocket wire_;  // Declared before `ssl_`, which uses it.
  std::unique_ptr<SSL, FreeSsl> ssl_;
  Wait read_wait_ = Wait::none;
  Wait write_wait_ = Wait::none;
  bool broken_ = false;
};

}  // namespace fairlead::http
