#pragma once

#include <boost/asio/io_context.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/http/stream.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "base/watched_descriptor.hpp"
#include "http/tls_session.hpp"

namespace fairlead::http {

/// A connected socket that no loop knows: new, or on its way from one to another.
struct Wire {
  Descriptor socket;
  std::unique_ptr<TlsSession> tls = {};
};

/// The one stream there is: a socket, with TLS on it or without.
class SocketStream final : public Stream {
 public:
  SocketStream(boost::asio::io_context& context, Wire wire);
  SocketStream(const SocketStream&) = delete;
  SocketStream& operator=(const SocketStream&) = delete;
  ~SocketStream() override;

  Result<std::optional<std::size_t>> read_now(std::span<char> buffer) override;
  Result<std::optional<std::size_t>> write_now(std::span<const std::string_view> pieces) override;
  Task<Result<void>> readable() override;
  Task<Result<void>> writable() override;
  void close() noexcept override;
  std::size_t queued() override;
  bool is_drained() const override { return !tls_ && socket_.is_drained(); }
  bool secure() const override { return tls_ != nullptr; }
  bool open() const { return socket_.is_open(); }

  /// Like `readable` and `writable`, without a coroutine: `then` takes whether it is worth a try, or the wait was
  /// ended.
  template <class Then>
  void when_readable(Then then) {
    when(reads_by_writing(), std::move(then));
  }
  template <class Then>
  void when_writable(Then then) {
    when(!writes_by_reading(), std::move(then));
  }
  /// Whether waiting could be in vain: TLS holds bytes that the socket does not show any more.
  bool may_read_at_once() const { return tls_ != nullptr && tls_->may_read_at_once(); }

  /// Nothing more will be written; the peer is told.
  void end_output() noexcept;
  /// From here on everything is under TLS. The handshake is awaited next.
  void begin_tls(const TlsContext& context, const std::string& host);
  Task<Result<void>> shake_hands();
  TlsSession* tls() { return tls_.get(); }

  /// Takes the socket off this loop. Nobody may be waiting.
  Wire release();

 private:
  using Wait = TlsSession::Wait;

  // Under TLS either may need the other.
  bool reads_by_writing() const { return tls_ && tls_->read_wait() == Wait::writable; }
  bool writes_by_reading() const { return tls_ && tls_->write_wait() == Wait::readable; }
  template <class Then>
  void when(bool can_write, Then then) {
    if (can_write) {
      socket_.when_writable(std::move(then));
    } else {
      socket_.when_readable(std::move(then));
    }
  }
  Task<Result<void>> wait(bool can_write);

  WatchedDescriptor socket_;
  bool tells_rest_ = false;  // Of what a read has left behind.
  std::unique_ptr<TlsSession> tls_;
};

/// The loop's own context, which sockets need to know by its type.
Result<boost::asio::io_context*> context_of(const Loop& loop);

void send_without_delay(int socket);

}  // namespace fairlead::http
