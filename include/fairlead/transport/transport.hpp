#pragma once

#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/jsonrpc/read.hpp>

namespace fairlead::transport {

/// A received text that is not a valid message. `reply` is the error response for its sender, and names the request
/// that it was meant to answer.
struct InvalidMessage {
  jsonrpc::ReadError reply;
  std::string text = {};  ///< The beginning of the text.
  bool logged = false;    ///< The transport has already logged it.
};

/// The error for the pending call that the invalid response was meant for.
Error invalid_response_error(const jsonrpc::ReadError& answer);

/// A pending request failed while the connection continues: each request had its own stream.
struct RequestFailed {
  jsonrpc::Id id;
  Error error;
};

/// `Error::cause` of a `closed` error: the peer rejected the request unprocessed, so it is safe to retry.
inline constexpr std::uint8_t cause_not_processed = 1;

/// A message that arrived on the stream of one of our requests.
struct MessageForRequest {
  jsonrpc::Message message;
  jsonrpc::Id request_id;
};

/// The peer closed the response stream of one of our requests; the response is fetched later.
struct ResponseDeferred {
  jsonrpc::Id request_id;
};

using Received =
    std::variant<jsonrpc::Message, jsonrpc::Batch, InvalidMessage, RequestFailed, MessageForRequest, ResponseDeferred>;

/// A message to send.
struct Outgoing {
  jsonrpc::Message message;

  /// The request of the peer that this message belongs to. Transports with several streams send it on the stream of
  /// that request.
  std::optional<jsonrpc::Id> related_request = {};
};

/// One ordered stream of JSON-RPC messages with a single peer.
///
/// Handles framing and bytes; does not interpret MCP methods. One `receive` and one `send` may be pending at a time.
/// Not thread-safe: runs on one loop.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Returns the next message; `closed` at the end of the stream.
  virtual Task<Result<Received>> receive() = 0;

  /// Passes a message on. The task is ready if that needed no wait, else it waits until the peer reads; await it before
  /// the next call. `closed` if the connection is broken.
  virtual Task<Result<void>> send(Outgoing outgoing) = 0;

  /// True if a write costs so much that messages of one turn of the loop should be sent by one `send_all`.
  virtual bool coalesces_writes() const { return false; }

  /// Sends several messages in order; in one write if the transport supports it.
  virtual Task<Result<void>> send_all(std::vector<Outgoing> several) {
    for (auto& outgoing : several) {
      auto sent = co_await send(std::move(outgoing));
      if (!sent) co_return sent;
    }
    co_return Result<void>();
  }

  /// Sends the responses to a batch as one array if the transport supports it, else one by one.
  virtual Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) {
    for (auto& message : messages) {
      Outgoing outgoing{std::move(message)};
      auto sent = co_await send(std::move(outgoing));
      if (!sent) co_return sent;
    }
    co_return Result<void>();
  }

  /// Closes the response stream of a request of the peer while the request continues. The peer fetches the response
  /// later; no effect if the transport cannot resume streams.
  virtual void release_stream(const jsonrpc::Id&) noexcept {}

  /// The peer cancelled this request of its own; no response will be sent.
  virtual void on_request_cancelled(const jsonrpc::Id&) noexcept {}

  /// Ends a pending `receive` and `send` with `closed`. Idempotent.
  virtual void close() noexcept = 0;
};

}  // namespace fairlead::transport
