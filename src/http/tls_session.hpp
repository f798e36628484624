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

/// TLS on a descriptor that blocks nobody and that somebody else owns. Used by one thread at a time.
///
/// Reading may have to write and writing to read, so each says for what it has to wait.
class TlsSession {
 public:
  enum class Wait : std::uint8_t { none, readable, writable };

  TlsSession(const TlsContext& context, int descriptor);
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// For a client: what the certificate must be for.
  void expect(const std::string& host);

  /// True once done; before, `read_wait` says what to wait for.
  Result<bool> shake_hands();
  Result<std::optional<std::size_t>> read(std::span<char> buffer);
  Result<std::optional<std::size_t>> write(std::span<const std::string_view> pieces);
  /// Tells the peer that this was all.
  void say_goodbye() noexcept;

  /// Whether it holds bytes that the socket does not show any more.
  bool may_read_at_once() const { return read_wait_ == Wait::none && SSL_has_pending(ssl_.get()) == 1; }
  Wait read_wait() const { return read_wait_; }
  Wait write_wait() const { return write_wait_; }

  /// Whom the peer's certificate names; empty if it has shown none.
  std::string peer_subject() const;

 private:
  Result<std::optional<std::size_t>> write_one(std::string_view piece);
  std::optional<Error> must_wait(int outcome, Wait& wait);
  Error broken_error();

  TlsWire wire_;  // Outlives what reads of it.
  std::unique_ptr<SSL, FreeSsl> ssl_;
  Wait read_wait_ = Wait::none;
  Wait write_wait_ = Wait::none;
  bool broken_ = false;
};

}  // namespace fairlead::http
