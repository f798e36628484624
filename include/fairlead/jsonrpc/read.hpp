#pragma once

#include <expected>
#include <fairlead/jsonrpc/message.hpp>

namespace fairlead::jsonrpc {

struct ReadLimits {
  std::size_t max_depth = 128;
  std::size_t max_batch = 1000;
};

/// A text that is not a valid message: the error response to send, and the request of this side that it answers.
struct ReadError : ErrorResponse {
  std::optional<Id> answered_id = {};  ///< Nothing if it is not a response or its id is unreadable.
  std::size_t limit = 0;               ///< Limit in bytes that the message exceeds; 0 if it does not.
};

/// A message, or the error response for its sender.
using ReadResult = std::expected<Message, ReadError>;

/// The messages of one JSON array. Whether batches are allowed depends on the protocol revision.
struct Batch {
  std::vector<ReadResult> entries;
};

using Incoming = std::variant<Message, Batch>;

/// Parses one JSON text. The message keeps `text` as the storage of its params or result; only the id and the method
/// are copied.
///
/// The error is the response to send: -32700 if the text is not JSON; -32600 if it is not JSON-RPC 2.0, is nested too
/// deeply, or repeats a name in an object that is used for routing. It has the request's id if that is readable.
std::expected<Incoming, ReadError> read(std::string text, const ReadLimits& limits = {});

}  // namespace fairlead::jsonrpc
