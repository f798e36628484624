#pragma once

#include <fairlead/protocol/model/input.hpp>
#include <fairlead/server/context.hpp>
#include <fairlead/session/service.hpp>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Ends a round: thrown through the handler to the dispatcher. Not a std::exception, so that handlers do not catch it
/// by accident. If a handler catches it with `...`, `input_requests` is still set.
struct RoundEnded {};

/// Responses and `once` results of earlier rounds. The client carries it, encrypted, as requestState.
struct ReplayState {
  std::map<std::string, json::Payload> answers = {};
  std::map<std::string, json::Payload> once = {};
};

class LoopProxy;
class TaskRun;

struct ContextState {
  ServerState& server;
  session::Call& call;
  std::atomic<bool> cancelled = false;      ///< For blocking handlers; set by another thread.
  std::function<bool()> is_cancelled = {};  ///< For handlers on the event loop.
  LoopProxy* loop_proxy = nullptr;          ///< For blocking handlers only.
  double progress = -1;
  std::size_t next_key = 0;  ///< Number of the next request without a key.

  ReplayState replay_state = {};
  protocol::InputResponses responses = {};  ///< Of this round; not validated yet.
  protocol::InputRequests input_requests = {};
  TaskRun* run = nullptr;  ///< Null if the call cannot become a task.

  bool uses_input_rounds() const { return !call.context.revision->server_initiated_requests; }
};

/// Decrypts the state of earlier rounds from the params; an error if it was not issued by this server.
Result<void> restore(ContextState& state);

/// The `input_required` reply with the open input requests.
session::Reply end_round(const ContextState& state);

}  // namespace fairlead::server
