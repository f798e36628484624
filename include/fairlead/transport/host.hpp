#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fairlead/transport/transport.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::transport {

/// Who comes in through a listener.
struct Guest {
  std::string principal = {};                            ///< As whom they were authenticated; empty for nobody.
  std::string name = {};                                 ///< In the log.
  bool tool_calls_only = false;                          ///< They call tools without any handshake.
  std::shared_ptr<const jsonrpc::Luggage> luggage = {};  ///< Of all that they say.
};

/// A conversation with a guest, over a transport that outlives it.
class Hosted {
 public:
  virtual ~Hosted() = default;

  /// Serves until the transport closes; returns when every handler has ended and every answer is sent.
  virtual Task<void> run() = 0;

  /// Instead of `run`, where `take` brings what the guest says: nothing is received from the transport, and no
  /// coroutine runs while nothing happens.
  virtual void open() = 0;
  virtual void take(Received&& received) = 0;
  /// Lets handlers end and sends what they answered. After every `open`, unless the loop has stopped.
  virtual Task<void> end() = 0;

  /// Whether the guest leaves so many answers unread that nothing more should be taken from it; and until that is over,
  /// or the conversation is. For whoever calls `take`.
  virtual bool is_behind() const { return false; }
  virtual Task<void> caught_up() { co_return; }

  /// The answer where none has to be waited for; nothing, and the request untouched, where it has to be given to the
  /// transport's `receive` or to `take`. While `run` runs, or after `open`.
  virtual std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request) = 0;

  /// What was agreed on, once it was.
  virtual const protocol::Revision* revision() const = 0;

  /// Lets handlers end and writes what they answered; `close` does not wait for them.
  virtual void finish() noexcept = 0;
  virtual void close() noexcept = 0;
};

/// Takes in the conversations that listeners accept: how a listener reaches the layers above. Thread-safe.
class Host {
 public:
  virtual ~Host() = default;

  virtual std::unique_ptr<Hosted> open(Loop loop, Transport& transport, Guest guest) = 0;

  /// Answers a request of a stateless revision, which is a conversation of its own, where none has to be waited for;
  /// nothing, and the request untouched, where a conversation has to be opened for it.
  virtual std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request, const Guest& guest) = 0;

  /// The arguments of a tool that travel as headers too; empty for a tool that has none or does not exist.
  virtual std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal) = 0;

  /// Names of the header fields that shall come along with requests.
  virtual std::span<const std::string> wanted_luggage() const { return {}; }
};

}  // namespace fairlead::transport
