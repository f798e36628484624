#pragma once

#include <cstddef>
#include <fairlead/base/loop.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/session/service.hpp>
#include <fairlead/transport/transport.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace fairlead::session {

/// Which end of the conversation we are: that decides which requests make sense.
enum class Side : std::uint8_t { server, client };

/// What to do with a request of the handshake era that comes before the handshake.
enum class Lifecycle : std::uint8_t {
  strict,   ///< Refuse it and say which step is missing.
  lenient,  ///< Answer it as the newest handshake revision would.
  none,     ///< There is no handshake to wait for.
};

struct SessionOptions {
  Side side = Side::server;
  Lifecycle lifecycle = Lifecycle::lenient;
  protocol::Dialect dialect = protocol::Dialect::specification;
  bool detect_dialect = true;  ///< Names such as `mcp/initialize` choose the dialect, unless one is set.
  std::string principal = {};
  std::string name = "session";                          ///< In the log.
  std::shared_ptr<const jsonrpc::Luggage> luggage = {};  ///< Of requests that bring none.

  std::size_t max_in_flight = 1024;  ///< Requests of the peer's at once; more are refused.
  std::size_t max_queued = 1024;     ///< Messages waiting for a peer that does not read, and
  /// their bytes. At either, senders wait too, and no more of the peer's messages is read while that many answers wait.
  /// Notifications under way are held to the same limits each way: beyond them they are dropped, and the log says so.
  std::size_t max_queued_bytes = std::size_t{4} * 1024 * 1024;
  Duration question_timeout = default_question_timeout;  ///< For what is asked in the course of a peer's request.
  /// Called once if the peer's stream ends or breaks while this side has not ended the conversation; before pending
  /// calls fail. On the session's loop.
  std::function<void(const Error&)> on_lost = {};
  Duration drain = std::chrono::seconds{10};  ///< How long running handlers may take after the peer has hung up.
};

struct SessionState;

/// One conversation with one peer: ids, pending calls, cancellation, progress, deadlines, lifecycle.
///
/// A local of the coroutine that serves it, on one loop. Does not know what carries the messages, and whether the
/// conversation is a process's life or a single exchange.
class Session {
 public:
  /// `transport` and `service` outlive the session.
  Session(Loop loop, transport::Transport& transport, Service& service, SessionOptions options = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Serves the peer until it hangs up or `close` is called; returns when every handler has ended and every answer is
  /// written. An error says why answers could not be written.
  Task<Result<void>> run();

  /// Instead of `run`, for a peer whose messages are brought by `take`: nothing is received from the transport. No
  /// coroutine runs while nothing happens, which is how most conversations over HTTP spend their time.
  void open();
  /// What the peer says, between `open` and `end`.
  void take(transport::Received&& received);
  /// Lets handlers end, for as long as `drain` says, and sends what they answered. After every `open`, unless the loop
  /// has stopped.
  Task<void> end();

  /// Whether the peer leaves so many answers unread that nothing more should be taken from it; and until that is over,
  /// or the conversation is.
  bool is_behind() const;
  Task<void> caught_up();

  /// The answer to a request of the peer's that came by another way than the transport, where none has to be waited
  /// for. Nothing, and the request untouched, where the transport has to bring it. While it is open.
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request);

  /// The other side as a service. Calls wait for `run` to bring their answers.
  Service& peer();

  /// Ends the conversation in good order: reads no more, lets handlers end as if the peer had hung up, and writes what
  /// they answered. On the session's loop.
  void finish() noexcept;

  /// Ends the conversation at once: pending calls fail with `closed`, handlers are cancelled.
  void close() noexcept;

  /// Whether the peer will never answer any more.
  bool is_over() const;

  /// The revision of the conversation, once there is one.
  const protocol::Revision* revision() const;

  /// For a client, after it has found out: what to speak, and as whom.
  void adopt(const protocol::Revision& revision, protocol::Caller self);

  /// Who signed the last result, where results are signed.
  const std::shared_ptr<const protocol::Implementation>& signed_by() const;

  protocol::Dialect dialect() const;

 private:
  std::unique_ptr<SessionState> state_;
};

}  // namespace fairlead::session
