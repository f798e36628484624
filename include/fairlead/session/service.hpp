#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/headers.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <stop_token>

namespace fairlead {
class TaskScope;
namespace http {
struct Identity;
}
}  // namespace fairlead

namespace fairlead::session {

/// The result of a call, in the revision-independent form.
struct Reply {
  json::Payload body = {};
  protocol::ResultKind kind = protocol::ResultKind::complete;
  std::string other_kind = {};  ///< Result type of an extension, if `kind` is `other`.
  /// Revision in which the body is written: clients of the same revision receive it unchanged. Null for our own
  /// results that may have to be converted.
  const protocol::Revision* written_in = nullptr;
};

/// Channel to the peer that sent a request, valid while the request is active. Messages leave on the stream of that
/// request.
class PeerChannel {
 public:
  virtual ~PeerChannel() = default;

  virtual Task<Result<Reply>> request(std::string method, json::Payload params) = 0;
  /// Returns a ready task if the send queue has room. Otherwise nothing is sent until the task is awaited: to drop the
  /// notification instead, destroy the task.
  virtual Task<Result<void>> notify(std::string method, json::Payload params) = 0;

  /// Closes the response stream of the request if the peer can fetch the response later.
  virtual void release_stream() {}
};

/// Identity used for requests that carry no client info. Never null.
const std::shared_ptr<const protocol::ClientIdentity>& anonymous_caller();

/// HTTP headers that a service adds to requests to the server.
struct AddedHeaders {
  std::vector<protocol::Header> headers;
  bool from_client = false;  ///< Some are headers of the client's request, such as its credentials.
};

/// An entry of a `Server-Timing` header.
struct ServerTimingEntry {
  std::string name;
  std::optional<double> milliseconds = {};
  std::string description = {};

  bool operator==(const ServerTimingEntry&) const = default;
};

/// Everything about a request except its params.
struct RequestContext {
  const protocol::Revision* revision = nullptr;  ///< Negotiated by the session, or named by a stateless request.
  /// Client info and capabilities; never null.
  std::shared_ptr<const protocol::ClientIdentity> caller = anonymous_caller();
  std::string principal = {};  ///< Authenticated principal; empty if anonymous.
  /// Scopes and claims of the principal; null if it is anonymous or only its name is known.
  std::shared_ptr<const http::Identity> identity = {};
  /// OAuth token of the caller, to exchange it for another one; null without OAuth. Never log or forward it.
  std::shared_ptr<const std::string> access_token = {};
  std::uint64_t session_key = 0;  ///< `SessionRef::key` of its session; 0 for none.
  std::optional<jsonrpc::Id> id = {};
  std::optional<jsonrpc::Id> progress_token = {};
  std::optional<jsonrpc::Id> related_request = {};  ///< Our request that a server request belongs to, if known.
  std::string original_method = {};                 ///< The method as sent, if it was an alias.
  PeerChannel* peer = nullptr;                      ///< Channel to the sender; null if it cannot be reached.
  /// Forwarded HTTP headers of the request; may be null.
  std::shared_ptr<const jsonrpc::MessageHeaders> request_headers = {};
  /// HTTP headers to add to the response, if the transport is HTTP.
  std::shared_ptr<const jsonrpc::MessageHeaders> response_headers = {};
  /// Headers to add to the request at the server, if the transport is HTTP; later ones replace earlier ones.
  std::vector<std::shared_ptr<const AddedHeaders>> added_headers = {};
  /// Times of this request and of the requests made for it; null if they are not collected.
  std::shared_ptr<std::vector<ServerTimingEntry>> timings = {};
  /// Stopped when the peer has closed the session: end calls that would otherwise wait for it.
  std::stop_token peer_closed = {};
};

/// Timeouts of a call: `idle` restarts with each progress notification, `total` limits the whole call.
struct Timeouts {
  Duration idle = std::chrono::seconds{30};
  Duration total = std::chrono::minutes{10};

  static constexpr Timeouts endless() { return {.idle = Duration::max(), .total = Duration::max()}; }
  Timeouts within(const Timeouts& limit) const {
    return {.idle = std::min(idle, limit.idle), .total = std::min(total, limit.total)};
  }
};

/// Default timeout for requests to the peer while its own request is handled: long enough for a person to answer.
inline constexpr Duration default_nested_request_timeout = std::chrono::minutes{5};

/// A progress notification: decoded, and as received.
struct Progress : protocol::ProgressParams {
  json::Payload raw = {};
};

/// A request that passes through a chain of services.
struct Call {
  std::string method;
  json::Payload params = {};
  RequestContext context = {};
  Timeouts timeouts = {};
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const jsonrpc::Id&)> on_sent = {};  ///< Called with the JSON-RPC id, before the request is sent.
  /// Called with the HTTP headers of the response.
  std::function<void(const jsonrpc::MessageHeaders&)> on_response_headers = {};
  /// Returns when the peer last waited for a response of ours, or the current time while it waits: not counted as idle.
  /// Optional.
  std::function<TimePoint()> last_peer_wait = {};
  /// Called when the peer closes the response stream and will deliver the response later.
  std::function<void()> on_response_deferred = {};
  /// Objects that the call uses and keeps alive, even if their owner drops them meanwhile.
  std::vector<std::shared_ptr<const void>> dependencies = {};
};

/// A notification that passes through a chain of services.
struct Notification {
  std::string method;
  json::Payload params = {};
  const protocol::Revision* revision = nullptr;
  std::optional<jsonrpc::Id> related_request = {};  ///< Our request that it belongs to, if known.
  std::uint64_t session_key = 0;                    ///< `SessionRef::key` of its session; 0 for none.
  std::string principal = {};
};

class Service;

/// Returns a key that is unique in this process, for a `SessionRef` that is not backed by a `Session`.
std::uint64_t new_session_key();

/// The other end of a session, to call or to notify. Keep a copy of the handle, never a reference to the service: a
/// middleware that replaces the peer may end before the tasks that use it, and a copy keeps it alive.
class PeerHandle {
 public:
  /// The peer itself, which outlives the tasks of its session.
  PeerHandle(Service& peer) : peer_(std::shared_ptr<void>(), &peer) {}  // NOLINT(google-explicit-constructor)
  /// A service that replaces the peer; the copies of the handle share it.
  template <std::derived_from<Service> S>
  PeerHandle(std::shared_ptr<S> peer) : peer_(std::move(peer)) {}  // NOLINT(google-explicit-constructor)

  Service& operator*() const { return *peer_; }
  Service* operator->() const { return peer_.get(); }

 private:
  std::shared_ptr<Service> peer_;
};

/// A session with one peer, as services see it.
struct SessionRef {
  std::uint64_t key = 0;  ///< Unique in this process.
  std::string principal = {};
  PeerHandle peer;
  /// Scope on the loop of the session, for tasks that notify the peer; cancelled at the end of the session.
  TaskScope& tasks;
  bool notifications_only = false;  ///< The peer only receives notifications and cannot be called.
  bool single_request = false;      ///< The session is one stateless request: nothing has to be kept for it.
};

/// State that a service keeps for a session. Destroyed at the end of the session, on its loop, after its last task.
class SessionHook {
 public:
  virtual ~SessionHook() = default;
};

/// Handles MCP requests: the handlers of a server, a remote peer, or a middleware in front of either.
///
/// Protocol errors are encoded as the revision and dialect of the caller require (protocol/protocol_error.hpp).
/// `call` returns a ready task if the reply is available without waiting. It may also throw instead of failing the
/// task. Stopping the task cancels the call.
class Service {
 public:
  virtual ~Service() = default;

  virtual Task<Result<Reply>> call(Call& call) = 0;
  virtual Task<void> notify(Notification& notice) = 0;

  /// Called when a session opens. The service may notify the peer and keep state for the session in the returned hook;
  /// null if it keeps none. Not a coroutine, because most sessions are idle.
  virtual std::unique_ptr<SessionHook> on_session_open(SessionRef session);

  /// Arguments of a tool that are also sent as HTTP headers; empty for a tool that has none or that `principal` may not
  /// see. Thread-safe.
  virtual std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal);

  /// Blocks until the work that goes on without a request has ended, at most `limit`. Called when a server stops, on a
  /// thread without an event loop.
  virtual void finish_background_work(Duration /*limit*/) {}

  /// Server info to add to results, in revisions that require it; null for none.
  virtual const protocol::Implementation* server_info() const { return nullptr; }
};

}  // namespace fairlead::session
