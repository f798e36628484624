#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/http/tls.hpp>
#include <optional>
#include <span>

#include "http/url.hpp"

namespace fairlead::http {
class TlsSession;
}

namespace fairlead::load {

/// A byte stream to a server: a socket with or without TLS, or the pipes of a child process.
class RawConnection {
 public:
  RawConnection(Descriptor in, Descriptor out);
  RawConnection(RawConnection&&) noexcept;
  RawConnection& operator=(RawConnection&&) noexcept;
  ~RawConnection();

  /// Connects; blocks. `tls` is needed for https and wss.
  static Result<RawConnection> connect(const http::Url& url, const http::TlsClient* tls);

  int in() const { return in_.get(); }
  int out() const { return out_ ? out_.get() : in_.get(); }

  /// Non-blocking. Nothing if it would block; `closed` at the end of the stream.
  Result<std::optional<std::size_t>> read_now(std::span<char> buffer);
  Result<std::optional<std::size_t>> write_now(std::string_view bytes);
  /// True if TLS may have buffered bytes that epoll does not report.
  bool may_read_at_once() const;

  // Block up to the timeout.
  Result<std::size_t> read(std::span<char> buffer, Duration timeout);
  Result<void> write(std::string_view bytes, Duration timeout);

 private:
  Result<void> start_tls(const http::TlsClient& tls, const std::string& host);

  Descriptor in_, out_;
  std::unique_ptr<http::TlsSession> tls_;
};

}  // namespace fairlead::load
