#pragma once

#include <fairlead/gateway/explanation.hpp>
#include <fairlead/session/service.hpp>
#include <utility>

namespace fairlead::gateway {

using session::Call;
using session::Notification;
using session::Reply;
using session::Service;

class BidirectionalMiddleware;

/// A metric of a middleware, exposed at `/metrics`.
struct Metric {
  std::string name;  ///< For example `cache_hits`, which is exposed as `fairlead_cache_hits_total`.
  std::string help;  ///< Help text in one line, the same for all metrics of this name.
  double value = 0;
  std::vector<std::pair<std::string, std::string>> labels =
      {};              ///< Few distinct values; never values that callers choose.
  bool gauge = false;  ///< A gauge, exposed without `_total`; otherwise a counter.
};

/// Sees every method between clients and a server: initialize, lists, calls, notifications.
///
/// Functions that are not overridden pass messages on unchanged, at no cost. One object may be part of several chains
/// and serves all their sessions, so `next` is passed with every message. An exception becomes an internal error at the
/// client, without its text.
class Middleware {
 public:
  virtual ~Middleware() = default;

  /// Handles a request: change it before `next` gets it, change the reply, answer instead of the server, or call `next`
  /// several times, each time with a copy of the call. `return next.call(call);` avoids a coroutine.
  virtual Task<Result<Reply>> call(Call& call, Service& next);
  virtual Task<void> notify(Notification& notice, Service& next);

  /// The arguments of a tool that are sent as HTTP headers. Override it when changing tool names. Thread-safe.
  virtual std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                           Service& next);
  /// The name of a tool behind this middleware, given the name that clients use.
  virtual std::string upstream_name(std::string_view tool) const;
  /// The name that clients use, given the name behind this middleware.
  virtual std::string client_name(std::string_view tool) const;

  /// Dry run: describes what this middleware would do to a tool call, and changes the call as it would for the next
  /// step. Returns nothing if it cannot say. `next` answers `tools/list` from known definitions, with a ready task.
  virtual std::optional<Explanation> explain(Call& call, Service& next) const;

  /// Names of client headers that this middleware needs; their values are in `call.context.request_headers`.
  virtual std::vector<std::string> wanted_headers() const { return {}; }

  /// The current metrics. Called on the event loop.
  virtual std::vector<Metric> metrics() const { return {}; }

  /// Called when a session opens. To keep state per session, wrap the hook that `next` returns.
  virtual std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session, Service& next);

  /// Returns this object if it also handles messages from the server to clients.
  virtual BidirectionalMiddleware* as_bidirectional() { return nullptr; }
};

/// Also sees messages from the server to its clients: sampling, elicitation, progress, log messages, changes.
class BidirectionalMiddleware : public Middleware {
 public:
  /// Handles a request of the server. Its context has the principal and session if it belongs to a client's request.
  virtual Task<Result<Reply>> on_server_request(Call& request, Service& client);

  /// May change a notification to the client; false drops it.
  virtual bool on_server_notification(Notification& notice);

  BidirectionalMiddleware* as_bidirectional() final { return this; }
};

/// Makes the error of a rejected request: the client gets this text and JSON-RPC code.
std::unexpected<Error> refuse(std::string message, std::int64_t code = -32000);

}  // namespace fairlead::gateway
