#pragma once

#include <atomic>
#include <fairlead/protocol/model/input.hpp>
#include <fairlead/server/context.hpp>
#include <fairlead/session/service.hpp>
#include <map>
#include <string>

#include "server/server_state.hpp"

namespace fairlead::server {

/// Ends a round: thrown through the handler to the dispatcher. No std::exception, so that a handler which catches
/// those does not catch it; if one swallows it all the same, `open_questions` still tells.
struct RoundEnded {};

/// What a request has been told in earlier rounds. Travels with the client, sealed.
struct Memory {
  std::map<std::string, json::Payload> answers = {};
  std::map<std::string, json::Payload> once = {};
};

class Bridge;

struct ContextState {
  ServerState& server;
  session::Call& call;
  std::atomic<bool> cancelled = false;  ///< Set from outside, for a handler on another thread.
  std::function<bool()> gave_up = {};   ///< The same for one on the loop.
  Bridge* bridge = nullptr;             ///< For a handler on another thread only.
  double progress = -1;
  std::size_t asked = 0;  ///< Questions without a key of their own.

  Memory memory = {};
  protocol::InputResponses responses = {};  ///< Of this round; believed once they have the right shape.
  protocol::InputRequests open_questions = {};

  bool asks_in_results() const { return !call.context.revision->server_asks; }
};

/// Reads what the client carried from earlier rounds; an error if it is not what we gave it.
Result<void> restore(ContextState& state);

/// The answer that puts the open questions.
session::Reply end_round(const ContextState& state);

}  // namespace fairlead::server
