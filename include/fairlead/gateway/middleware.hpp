#pragma once

#include <cstdint>
#include <fairlead/gateway/explanation.hpp>
#include <fairlead/session/service.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairlead::gateway {

class TwoWayMiddleware;

/// A figure of a middleware's, for operators.
struct Count {
  std::string name;  ///< Like `cache_hits`: `/metrics` shows it as `fairlead_cache_hits_total`.
  std::string help;  ///< What it counts, in one line; the same for all of a name.
  double value = 0;
  std::vector<std::pair<std::string, std::string>> labels = {};  ///< Few, and none that callers choose.
  bool gauge = false;                                            ///< It may go down, and has no `_total`.
};

/// Stands in a chain between clients and a server and sees every method: initialize, lists, calls, notifications.
///
/// Whatever a middleware does not override passes it untouched, and at no cost. One object may stand in several chains
/// and serves all their conversations, so `next` comes with every message. An exception is told to the client as an
/// internal error, without its text.
class Middleware {
 public:
  virtual ~Middleware() = default;

  /// A request on its way to the server. Change it before `next` gets it, change the reply, answer in the server's
  /// place, or ask `next` several times: then with a copy of the call each, because whoever stands behind may change
  /// it. Where nothing is left to do afterwards, `return next.call(call);` saves the coroutine.
  virtual Task<Result<session::Reply>> call(session::Call& call, session::Service& next);
  virtual Task<void> notify(session::Notice& notice, session::Service& next);

  /// The answer where none has to be waited for (`Service::answer_now`). Nothing by default, because it would bypass
  /// what `call` does.
  virtual std::optional<Result<session::Reply>> answer_now(session::Call& call, session::Service& next);

  /// For whoever changes the names of tools. Any thread may ask.
  virtual std::vector<protocol::HeaderParam> header_params(std::string_view tool, std::string_view principal,
                                                           session::Service& next);
  /// For the same: what a tool is called behind this.
  virtual std::string inner_name(std::string_view tool) const;
  /// And the other way: what a tool of that name behind this is called in front of it.
  virtual std::string outer_name(std::string_view tool) const;

  /// What this would do to the call of a tool, without doing it; nothing where that cannot be said. Changes the call as
  /// it would on its way, for those behind. `next` answers `tools/list` at once, where the tool is known.
  virtual std::optional<Explanation> explain(session::Call& call, session::Service& next) const;

  /// Header fields of clients that this wants to see: those that come over HTTP are in `call.context.luggage` then.
  virtual std::vector<std::string> wanted_headers() const { return {}; }

  /// What it has counted, on the loop that it works on.
  virtual std::vector<Count> counts() const { return {}; }

  /// For whoever keeps something for a conversation: wrap what `next` returns.
  virtual std::unique_ptr<session::Attendance> attend(session::Conversation conversation, session::Service& next);

  /// This, if it looks at the way back too.
  virtual TwoWayMiddleware* two_way() { return nullptr; }
};

/// Sees as well what the server asks and tells its clients: sampling, elicitation, progress, log messages, changes.
class TwoWayMiddleware : public Middleware {
 public:
  /// A question of the server's. Its context says on behalf of which principal and conversation, where it belongs to a
  /// request.
  virtual Task<Result<session::Reply>> ask_back(session::Call& question, session::Service& client);

  /// May change what the client is told; false if it shall not be told.
  virtual bool tell_back(session::Notice& notice);

  TwoWayMiddleware* two_way() final { return this; }
};

/// For a middleware that says no: the text and the JSON-RPC code are what the client gets.
std::unexpected<Error> refuse(std::string message, std::int64_t code = -32000);

}  // namespace fairlead::gateway
