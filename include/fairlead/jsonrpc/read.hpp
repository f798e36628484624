#pragma once

#include <cstddef>
#include <expected>
#include <fairlead/jsonrpc/message.hpp>
#include <string>
#include <variant>
#include <vector>

namespace fairlead::jsonrpc {

struct ReadLimits {
  std::size_t max_depth = 128;
  std::size_t max_batch = 1000;
};

/// What is no message: the exact reply to send, and which call of the reader's own it was meant to answer.
struct Unread : ErrorResponse {
  std::optional<Id> answers = {};  ///< Nothing where it seems to be no answer, or to none that can be made out.
};

/// A message, or the reply that tells its sender what is wrong with it.
using Entry = std::expected<Message, Unread>;

/// What arrived together as one array. Whether arrays are legal at all is the revision's business.
struct Batch {
  std::vector<Entry> entries;
};

using Incoming = std::variant<Message, Batch>;

/// Reads one JSON text. The message keeps `text` as the home of its params or result; nothing is copied out but the
/// id and the method.
///
/// The error is the reply to send: -32700 for what is not JSON; -32600 for what is not JSON-RPC 2.0, nests too
/// deep, or says a name twice where we route on it. It carries the request's id wherever one can be made out.
std::expected<Incoming, Unread> read(std::string text, const ReadLimits& limits = {});

}  // namespace fairlead::jsonrpc
