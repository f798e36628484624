#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <concepts>
#include <cstdint>
#include <fairlead/base/deadline.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <fairlead/json/payload.hpp>
#include <fairlead/jsonrpc/id.hpp>
#include <fairlead/jsonrpc/message.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/model/lifecycle.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead {
class TaskScope;
}

namespace fairlead::session {

/// What a service answers: a result in neutral form.
struct Reply {
  json::Payload body = {};
  protocol::ResultKind kind = protocol::ResultKind::complete;
  std::string other_kind = {};  ///< An extension's word, if `kind` is `other`.
  /// The revision in which a peer wrote the body: a client of the same one gets its bytes. Null for our own results.
  const protocol::Revision* written_in = nullptr;
};

/// The way back to whoever sent a request, while it is under way: what goes here leaves on that request's stream.
class Backchannel {
 public:
  virtual ~Backchannel() = default;

  virtual Task<Result<Reply>> ask(std::string method, json::Payload params) = 0;
  virtual Task<Result<void>> tell(std::string method, json::Payload params) = 0;

  /// The same without waiting: false, and nothing told, where there is no room for it. For news that a peer who does
  /// not read may miss.
  virtual bool tell_now(std::string_view, const json::Payload&) { return false; }

  /// Lets the connection go on which the answer is waited for, where the other side can come back for it.
  virtual void let_go() {}
};

/// A caller of whom nothing is known.
const std::shared_ptr<const protocol::Caller>& nobody();

/// Everything about a request that is not in its params.
struct RequestContext {
  const protocol::Revision* revision = nullptr;               ///< The conversation's, or the request's own.
  std::shared_ptr<const protocol::Caller> caller = nobody();  ///< Who asks; never null.
  std::string principal = {};                                 ///< As whom they were authenticated; empty for nobody.
  std::uint64_t conversation = 0;                             ///< Which `Conversation` it came in; 0 for none.
  std::optional<jsonrpc::Id> id = {};
  std::optional<jsonrpc::Id> progress_token = {};
  std::optional<jsonrpc::Id> about = {};  ///< Our request to which a question of the peer's belongs, where that shows.
  std::string spelled = {};               ///< The name it was called by, if that was an alias.
  Backchannel* back = nullptr;            ///< Null where there is nobody to ask.
  std::shared_ptr<const jsonrpc::Luggage> luggage = {};  ///< What came along that its host has asked for; may be null.
  std::shared_ptr<const jsonrpc::Luggage> returns = {};  ///< What the answer takes along, where its transport can.
  std::stop_token over = {};  ///< Stopped when the peer will say nothing more: what would never end has to end then.
};

/// How long to wait for an answer. A sign of progress counts from anew, but never beyond the cap.
struct Patience {
  Duration idle = std::chrono::seconds{30};
  Duration cap = std::chrono::minutes{10};

  static constexpr Patience endless() { return {.idle = Duration::max(), .cap = Duration::max()}; }
  Patience within(const Patience& limit) const {
    return {.idle = std::min(idle, limit.idle), .cap = std::min(cap, limit.cap)};
  }
};

/// How long a question to a peer may stay open where nobody says otherwise: long enough for people to answer.
inline constexpr Duration default_question_timeout = std::chrono::minutes{5};

/// A sign of life, and how it was told.
struct Progress : protocol::ProgressParams {
  json::Payload raw = {};
};

/// A request on its way through a chain of services.
struct Call {
  std::string method;
  json::Payload params = {};
  RequestContext context = {};
  Patience patience = {};
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const jsonrpc::Id&)> on_sent = {};          ///< By which id the peer knows it.
  std::function<void(const jsonrpc::Luggage&)> on_luggage = {};  ///< What came along with the answer.
  /// When the peer last waited for an answer of ours, or now while it does: that is not idle time. Optional.
  std::function<TimePoint()> waited_for_us = {};
  std::function<void()> on_paused = {};  ///< The peer has let go of the connection; it answers later all the same.
  /// What it passes through and has to outlive it, though whoever owns that may let go of it meanwhile.
  std::vector<std::shared_ptr<const void>> needs = {};
};

/// A notification on its way.
struct Notice {
  std::string method;
  json::Payload params = {};
  const protocol::Revision* revision = nullptr;
  std::optional<jsonrpc::Id> about = {};  ///< Our request to which it belongs, where that shows.
  std::uint64_t conversation = 0;         ///< In which it came; 0 for none.
  std::string principal = {};
};

class Service;

/// For a conversation that is not a session's: a key that no other in this process has.
std::uint64_t new_conversation_key();

/// The other end of a conversation, to notify or to ask. Keep a copy of the handle, never a reference to the service: a
/// middleware that stands in for the peer may end before the tasks that use it, and a copy keeps it alive for them.
class PeerHandle {
 public:
  /// The peer itself, which outlives the tasks of its conversation.
  PeerHandle(Service& peer) : peer_(std::shared_ptr<void>(), &peer) {}  // NOLINT(google-explicit-constructor)
  /// A service that stands in for the peer; the copies of the handle share it.
  template <std::derived_from<Service> S>
  PeerHandle(std::shared_ptr<S> peer) : peer_(std::move(peer)) {}  // NOLINT(google-explicit-constructor)

  Service& operator*() const { return *peer_; }
  Service* operator->() const { return peer_.get(); }

 private:
  std::shared_ptr<Service> peer_;
};

/// One conversation with one peer, for as long as it lasts.
struct Conversation {
  std::uint64_t key = 0;  ///< No other in this process has it.
  std::string principal = {};
  PeerHandle peer;
  boost::asio::any_io_executor executor;  ///< Of its loop.
  TaskScope& tasks;                       ///< For telling the peer something; cancelled at its end.
  bool hears_only = false;                ///< The peer takes notifications and cannot be asked anything.
};

/// What a service does for a conversation besides answering it. Goes at its end, on its loop, after its last task.
class Attendance {
 public:
  virtual ~Attendance() = default;
};

/// Answers MCP requests: a server's handlers, a remote peer, or a filter in front of either.
///
/// Errors of the protocol plane are told to the caller as its revision and dialect want them (protocol/fault.hpp).
/// Cancelling the coroutine gives up on the call.
class Service {
 public:
  virtual ~Service() = default;

  virtual Task<Result<Reply>> call(Call& call) = 0;
  virtual Task<void> notify(Notice& notice) = 0;

  /// The answer where none has to be waited for, so that a plain function costs no coroutine; nothing, and the call
  /// untouched, where `call` has to be awaited.
  virtual std::optional<Result<Reply>> answer_now(Call&) { return std::nullopt; }
  /// False only where `answer_now` never has an answer: then it is not even asked.
  virtual bool answers_now() const { return true; }

  /// Called at the beginning of a conversation that this serves: the place to tell the peer what it did not ask for,
  /// and to keep something for it. Null where there is no need. No coroutine, because most conversations are idle.
  virtual std::unique_ptr<Attendance> attend(Conversation conversation);

  /// The arguments of a tool that travel as HTTP headers too; empty for a tool that has none, or that the principal may
  /// not see. Any thread may ask.
  virtual std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal);

  /// Who signs its results, in the revisions that sign them; null for nobody.
  virtual const protocol::Implementation* self() const { return nullptr; }
};

}  // namespace fairlead::session
