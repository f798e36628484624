#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/http/tls.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "http/url.hpp"

namespace fairlead::http {
class TlsSession;
}

namespace fairlead::load {

/// Bytes to and from a server: a socket, with TLS or without, or a child's pipes.
class ByteLine {
 public:
  ByteLine(Descriptor in, Descriptor out);
  ByteLine(ByteLine&&) noexcept;
  ByteLine& operator=(ByteLine&&) noexcept;
  ~ByteLine();

  /// `tls` for https and wss. Waits, like everything up to the first call.
  static Result<ByteLine> dial(const http::Url& url, const http::TlsClient* tls);

  int in() const { return in_.get(); }
  int out() const { return out_ ? out_.get() : in_.get(); }

  /// Nothing if there is nothing now; `closed` at the end.
  Result<std::optional<std::size_t>> read_now(std::span<char> buffer);
  Result<std::optional<std::size_t>> write_now(std::string_view bytes);
  /// Whether bytes may be there that the descriptor does not show.
  bool may_read_at_once() const;

  // The same for whoever can wait.
  Result<std::size_t> read(std::span<char> buffer, Duration patience);
  Result<void> write(std::string_view bytes, Duration patience);

 private:
  Result<void> start_tls(const http::TlsClient& tls, const std::string& host);

  Descriptor in_, out_;
  std::unique_ptr<http::TlsSession> tls_;
};

}  // namespace fairlead::load
