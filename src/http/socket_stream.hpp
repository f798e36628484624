#pragma once

#include <boost/asio/io_context.hpp>
#include <fairlead/base/descriptor.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/http/stream.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/reactor_descriptor.hpp"
#include "http/tls_session.hpp"

namespace fairlead::http {

/// A connected socket that is not registered with a loop: new, or being handed off to another worker.
struct RawSocket {
  Descriptor socket;
  std::unique_ptr<TlsSession> tls = {};
};

/// The `Stream` on a socket, with or without TLS.
class SocketStream final : public Stream, NonCopyable {
 public:
  SocketStream(boost::asio::io_context& context, RawSocket wire);
  ~SocketStream() override;

  Result<std::optional<std::size_t>> read_now(std::span<char> buffer) override;
  Result<std::optional<std::size_t>> write_now(std::span<const std::string_view> pieces) override;
  Task<Result<void>> readable() override;
  Task<Result<void>> writable() override;
  void close() noexcept override;
  std::size_t queued() override;
  bool is_drained() const override { return !tls_ && drained_; }
  bool secure() const override { return tls_ != nullptr; }
  bool open() const { return socket_.is_open(); }
  /// The address of the peer, without its port; empty if it is not an IP address.
  std::string peer_address() const;

  /// Like `readable` and `writable`, without a coroutine: `then` receives true if the socket is ready, false if the
  /// wait was ended.
  template <class Then>
  void when_readable(Then then) {
    when(reads_by_writing(), std::move(then));
  }
  template <class Then>
  void when_writable(Then then) {
    when(!writes_by_reading(), std::move(then));
  }
  /// True if TLS holds decrypted bytes, for which the socket does not become readable.
  bool may_read_at_once() const { return tls_ != nullptr && tls_->may_read_at_once(); }

  /// Closes the writing direction.
  void end_output() noexcept;
  /// Starts TLS; await the handshake next.
  void begin_tls(const TlsContext& context, const std::string& host);
  Task<Result<void>> do_handshake();
  TlsSession* tls() { return tls_.get(); }

  /// Removes the socket from this loop. No wait may be pending.
  RawSocket release();

 private:
  using Wait = TlsSession::Wait;

  // With TLS, a read may need to write and a write to read.
  bool reads_by_writing() const { return tls_ && tls_->read_wait() == Wait::writable; }
  bool writes_by_reading() const { return tls_ && tls_->write_wait() == Wait::readable; }
  template <class Then>
  void when(bool can_write, Then then) {
    drained_ = false;
    if (can_write) {
      socket_.when_writable(std::move(then));
    } else {
      socket_.when_readable(std::move(then));
    }
  }
  Task<Result<void>> readable_in_next_turn();
  Task<Result<void>> wait(bool can_write);

  ReactorDescriptor socket_;
  bool drained_ = false;  // The last read emptied the socket, and nothing was waited for since.
  std::unique_ptr<TlsSession> tls_;
};

/// The `io_context` of the loop, which sockets need.
Result<boost::asio::io_context*> context_of(const EventLoop& loop);

void disable_nagle(int socket);

}  // namespace fairlead::http
