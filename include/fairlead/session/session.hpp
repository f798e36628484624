#pragma once

#include <cstddef>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/session/service.hpp>
#include <fairlead/transport/transport.hpp>
#include <functional>
#include <memory>
#include <string>

namespace fairlead::session {

/// Our role in the session; decides which requests are valid.
enum class Side : std::uint8_t { server, client };

/// How to treat a request that arrives before `initialize`, in revisions with a handshake.
enum class HandshakePolicy : std::uint8_t {
  strict,   ///< Reject it with an error that asks for `initialize`.
  lenient,  ///< Handle it as in the newest handshake revision.
  none,     ///< The client never sends `initialize`.
};

struct SessionOptions {
  Side side = Side::server;
  HandshakePolicy handshake = HandshakePolicy::lenient;
  protocol::ErrorDialect dialect = protocol::ErrorDialect::specification;
  /// Detect the dialect from method names such as `mcp/initialize`, unless `dialect` is set.
  bool detect_dialect = true;
  std::string principal = {};
  std::shared_ptr<const http::Identity> identity = {};                  ///< The authenticated peer; may be null.
  std::shared_ptr<const std::string> access_token = {};                 ///< Its OAuth token; null without one.
  std::string name = "session";                                         ///< Name in the log.
  std::shared_ptr<const jsonrpc::MessageHeaders> request_headers = {};  ///< HTTP headers for requests that carry none.

  std::size_t max_in_flight = 1024;  ///< Concurrent requests of the peer; more are rejected.
  std::size_t max_queued = 1024;     ///< Messages queued for a peer that does not read.
  /// Bytes queued. At either limit senders wait, and reading pauses while that many responses are queued. Notifications
  /// have the same limits in each direction: beyond them they are dropped and a warning is logged.
  std::size_t max_queued_bytes = std::size_t{4} * 1024 * 1024;
  /// Closes the session if the queue of responses is full and one write (a message, or several of 64 KiB together)
  /// takes longer. Without it, two peers that both leave responses unread would wait for each other forever.
  Duration write_timeout = std::chrono::minutes{5};
  /// Timeout of requests to the peer while its own request is handled.
  Duration nested_request_timeout = default_nested_request_timeout;
  /// Called once, on the loop of the session, if the peer ends the connection or it breaks; before pending calls fail.
  std::function<void(const Error&)> on_connection_lost = {};
  /// How long handlers may run after the peer has closed the connection.
  Duration drain_timeout = std::chrono::seconds{10};
};

struct SessionState;

/// One MCP session with one peer: ids, pending calls, cancellation, progress, deadlines, lifecycle.
///
/// A local of the coroutine that serves it, on one loop. Independent of the transport, and of whether the session is
/// long-lived or a single exchange.
class Session {
 public:
  /// `transport` and `service` outlive the session.
  Session(EventLoop loop, transport::Transport& transport, Service& service, SessionOptions options = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Serves the peer until it closes the connection or `close` is called. Returns when all handlers have ended and all
  /// responses were written; the error says why responses could not be written.
  Task<Result<void>> run();

  /// Alternative to `run`: messages are passed to `on_message` instead of received from the transport. Needs no
  /// coroutine while the session is idle, as most HTTP sessions are.
  void open();
  /// Handles a message of the peer. Call between `open` and `end`.
  void on_message(transport::Received&& received);
  /// Waits up to `drain_timeout` for the handlers and sends their responses. Call after every `open`, unless the loop
  /// has stopped.
  Task<void> end();

  /// True if so many responses wait for the peer to read them that no more messages should be passed to `on_message`;
  /// `backlog_cleared` waits until that changes or the session ends.
  bool is_backlogged() const;
  Task<void> backlog_cleared();

  /// The peer as a service. Calls complete while `run` runs or messages are passed to `on_message`.
  Service& peer();

  /// Stops reading, waits for the handlers as if the peer had closed the connection, and writes their responses. Call
  /// on the loop of the session.
  void shutdown_gracefully() noexcept;

  /// Ends the session at once: pending calls fail with `closed`, handlers are cancelled.
  void close() noexcept;

  /// True once the peer can no longer respond.
  bool is_closed() const;

  /// Replaces identity and token of the peer, which has the same principal, for messages that follow.
  void set_caller(std::shared_ptr<const http::Identity> identity, std::shared_ptr<const std::string> access_token);

  /// The negotiated revision; null before.
  const protocol::Revision* revision() const;

  /// For a client: sets the negotiated revision and the client identity.
  void adopt(const protocol::Revision& revision, protocol::ClientIdentity self);

  /// Server info of the last result, in revisions whose results carry it.
  const std::shared_ptr<const protocol::Implementation>& last_server_info() const;

  protocol::ErrorDialect dialect() const;

 private:
  std::unique_ptr<SessionState> state_;
};

}  // namespace fairlead::session
