#pragma once

#include <cstddef>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/message.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace fairlead::http {

class WebSocket;
struct WebSocketOptions;

/// One request and its streamed response. Owned by the connection; valid while `StreamedBody::send` runs.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual Request& request() = 0;
  virtual EventLoop loop() const = 0;

  /// Stopped, on this loop, when the client disconnects or the listener shuts down.
  virtual std::stop_token stop_token() const = 0;

  /// Sends the complete response. Call once, and not after `begin`.
  virtual Task<Result<void>> respond(Response response) = 0;

  /// Starts a streamed response: then call `write` any number of times, and `end`. The body of `head` is the first
  /// piece. Without a final `end` the connection is closed, so that the client does not take a partial response for a
  /// complete one.
  virtual Task<Result<void>> begin(Response head) = 0;
  /// Waits while the client does not read; `closed` once it has disconnected.
  virtual Task<Result<void>> write(std::string_view piece) = 0;
  virtual Task<Result<void>> end() = 0;

  /// True once a response was started.
  virtual bool response_started() const = 0;

  /// Releases the memory of the request, except for its method. For long-lived streams.
  virtual void release_request_memory() {}

  /// Upgrades the connection to a WebSocket, which must not outlive the exchange. If the request is not a valid
  /// handshake, sends an error response and returns an error.
  virtual Task<Result<std::unique_ptr<WebSocket>>> upgrade(WebSocketOptions options) = 0;
};

/// Handles the requests of one worker, on its loop.
class Handler {
 public:
  virtual ~Handler() = default;

  /// Returns the response. A task that is ready costs no coroutine. The request is valid until the task ends or, if the
  /// response is streamed, until the end of the stream. Its views are moved before the task starts: pass a coroutine
  /// the request, not a view. An exception becomes a 500. If the client disconnects meanwhile, the task is stopped.
  virtual Task<Response> handle(Request& request) = 0;

  /// Returns the worker that must handle this request; nothing if any worker may. The connection is handed off before
  /// the request is handled.
  virtual std::optional<std::size_t> preferred_worker(const Request&) const { return std::nullopt; }

  /// Ends background work and waits for it. Called once, after the last request.
  virtual Task<void> close() { return {}; }
};

/// What a request wants to do.
struct Operation {
  std::string_view method = {};  ///< The JSON-RPC method.
  std::string_view tool = {};    ///< Empty unless a tool is called.
  std::string_view path = {};    ///< Of the HTTP request.
};

/// A rejected operation.
struct OperationRefusal {
  Response response;  ///< For HTTP.
  std::string scope;  ///< All scopes of the operation, for transports whose errors are JSON-RPC.
};

/// Decides which operations an authenticated caller may use. Called by all workers: must be thread-safe.
class OperationCheck {
 public:
  virtual ~OperationCheck() = default;

  /// Returns nothing to accept the operation.
  virtual std::optional<OperationRefusal> refuse_operation(const Identity& identity,
                                                           const Operation& operation) const = 0;
};

/// A check that runs before the handler, for every path. Called by all workers: must be thread-safe.
class AccessCheck {
 public:
  virtual ~AccessCheck() = default;

  /// Returns the error response for a rejected request; nothing to accept it. A task that is ready costs no coroutine.
  /// A task that waits may be dropped before it starts and asked for again: it must not have effects before. As in
  /// `Handler::handle`, pass a coroutine the request, not a view.
  virtual Task<std::optional<Response>> refuse(Request& request) const = 0;

  /// Returns a document below /.well-known/ that anybody may read, from any Origin and without credentials; nothing for
  /// other paths. Called before every other check.
  virtual std::optional<Response> public_document(const Request&) const { return std::nullopt; }
};

}  // namespace fairlead::http
