#pragma once

#include <cstddef>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/http/message.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

namespace fairlead::http {

class WebSocket;
struct WebSocketOptions;

/// One request and its answer. Belongs to the connection, lives as long as `Handler::serve` runs.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual Request& request() = 0;
  virtual Loop loop() const = 0;

  /// Stopped, on this loop, when the client has gone or the listener wants to end.
  virtual std::stop_token gone() const = 0;

  /// The whole answer. Once only, and not after `begin`.
  virtual Task<Result<void>> respond(Response response) = 0;

  /// Starts an answer that comes in pieces: `write` any number of times, then `end`. The head's own body is its first
  /// piece. A handler that returns without `end` cuts the connection, so that nobody takes half an answer for a whole.
  virtual Task<Result<void>> begin(Response head) = 0;
  /// Waits while the client does not read; `closed` once it has gone.
  virtual Task<Result<void>> write(std::string_view piece) = 0;
  virtual Task<Result<void>> end() = 0;

  /// Whether an answer has begun.
  virtual bool answered() const = 0;

  /// For streams that are idle for long: gives the memory of the request back, but for its method.
  virtual void forget_request() {}

  /// Turns the connection into a WebSocket, which must not outlive the exchange. A request that is no proper handshake
  /// has been answered with what is wrong when this returns an error.
  virtual Task<Result<std::unique_ptr<WebSocket>>> upgrade(WebSocketOptions options) = 0;
};

/// An answer that takes its time, but may come whole: then it costs no coroutine either. Destroyed when it is written,
/// or the client has gone.
class LaterAnswer {
 public:
  virtual ~LaterAnswer() = default;

  /// Called once, first. `ready` is to be called once, on this loop and perhaps before this returns; all may be over
  /// when that comes back, this object too.
  virtual void start(std::function<void()> ready) { ready(); }

  /// What there is when it is ready. Nothing, and `serve` is awaited, where it has to be written bit by bit.
  virtual std::optional<Response> whole() { return std::nullopt; }
  virtual Task<void> serve(Exchange& exchange) = 0;

  std::shared_ptr<const void> needs;  ///< What it refers to and does not own.
};

/// Answers requests on one worker's loop.
class Handler {
 public:
  virtual ~Handler() = default;

  /// The answer where none has to be waited for, so that it costs no coroutine. Nothing where `serve` has to be
  /// awaited, which comes next and finds the request untouched, or what was left in `later` instead of it.
  virtual std::optional<Response> answer_now(Request&) { return std::nullopt; }

  /// Answers in its own time. One that returns without having answered gets the client a 500.
  virtual Task<void> serve(Exchange& exchange) = 0;

  /// The worker that this request belongs to; nothing if any will do. The connection moves there before it is served.
  virtual std::optional<std::size_t> home(const Request&) const { return std::nullopt; }

  /// Ends what goes on between requests, and waits for it. Called once, when no request is under way any more.
  virtual Task<void> close() { co_return; }
};

/// Stands before a handler, on every path, and may turn a request away.
class Gate {
 public:
  virtual ~Gate() = default;

  /// The refusal; nothing lets it pass.
  virtual std::optional<Response> refuse(Request& request) const = 0;
};

}  // namespace fairlead::http
