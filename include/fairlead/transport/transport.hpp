#pragma once

#include <cstdint>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fairlead::transport {

/// Something came that is no message; `reply` is what its sender should be told, and which call of ours it was meant to
/// answer.
struct Unreadable {
  jsonrpc::Unread reply;
  std::string text = {};  ///< The beginning of what came.
  bool logged = false;    ///< The transport has told its log.
};

/// What the call is told that such an answer was meant for.
Error unreadable_answer(const jsonrpc::Unread& answer);

/// A request of ours will never be answered, though the peer lives on: each had a stream of its own.
struct Lost {
  jsonrpc::Id id;
  Error error;
};

/// The cause of a `closed` where the peer has turned the request away unread: it may be sent again.
inline constexpr std::uint8_t not_processed = 1;

/// A message that came on the stream of a request of ours.
struct Related {
  jsonrpc::Message message;
  jsonrpc::Id about;
};

/// The peer has let go of the connection on which a request of ours waits; the answer is fetched later.
struct Paused {
  jsonrpc::Id about;
};

using Received = std::variant<jsonrpc::Message, jsonrpc::Batch, Unreadable, Lost, Related, Paused>;

/// A message on its way out.
struct Outgoing {
  jsonrpc::Message message;

  /// The peer's request that this is about. Where a peer has several streams, the message leaves on that request's.
  std::optional<jsonrpc::Id> related_to = {};
};

/// One ordered stream of JSON-RPC messages with a single peer.
///
/// Owns framing and bytes, knows no MCP method. One `receive` and one `send` at a time: a session has one reader and
/// one writer. Runs on one loop.
class Transport {
 public:
  virtual ~Transport() = default;

  /// What the peer says next, or `closed` when it has said all it will.
  virtual Task<Result<Received>> receive() = 0;

  /// Returns once the message is on its way; waits while the peer does not read. `closed` if it never will.
  virtual Task<Result<void>> send(Outgoing outgoing) = 0;

  /// Sends without waiting, where that can be done: false, and the message untouched, where `send` has to be awaited.
  virtual bool send_now(Outgoing&) { return false; }
  /// The same for a message that no other is about to follow, with which it could leave in one write. Where it is false
  /// that message is the next to be sent: a part of it may have left.
  virtual bool send_alone(Outgoing& outgoing) { return send_now(outgoing); }

  /// Several messages in their order; in one write where the transport can.
  virtual Task<Result<void>> send_all(std::vector<Outgoing> several) {
    for (auto& outgoing : several) {
      auto sent = co_await send(std::move(outgoing));
      if (!sent) co_return sent;
    }
    co_return Result<void>();
  }

  /// Answers to a batch, as one array where the transport can; one by one where it cannot.
  virtual Task<Result<void>> send_batch(std::vector<jsonrpc::Message> messages) {
    for (auto& message : messages) {
      Outgoing outgoing{std::move(message)};
      auto sent = co_await send(std::move(outgoing));
      if (!sent) co_return sent;
    }
    co_return Result<void>();
  }

  /// Lets go of the connection that waits for the answer to this request of the peer's, which goes on meanwhile. The
  /// peer comes back for the answer, where it can; where it cannot, nothing happens.
  virtual void pause(const jsonrpc::Id&) noexcept {}

  /// The peer has given up on this request of its own: no answer will be sent.
  virtual void abandon(const jsonrpc::Id&) noexcept {}

  /// Ends a pending `receive` and `send` with `closed`. Closing twice is harmless.
  virtual void close() noexcept = 0;
};

}  // namespace fairlead::transport
