#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/session/service.hpp>

#include "gateway/record/recording.hpp"

namespace fairlead::gateway {

struct ReplayClientOptions {
  /// Notifications may come in any order, and additional ones are accepted.
  bool lenient = false;
  double speed = 0;                             ///< As in `ReplayOptions`.
  Duration timeout = std::chrono::seconds{30};  ///< Limit for each expected message.
  std::vector<std::string> ignore = {};         ///< Member names whose values are not compared.
};

/// Result of a replay.
struct ReplayReport {
  std::size_t calls = 0;
  std::size_t compared = 0;                   ///< Replies, calls and notifications of the server.
  std::vector<std::string> differences = {};  ///< Each starts with file and line.
};

/// Sends the recorded calls to a server and compares its replies. `server` takes revision-independent calls
/// (`VirtualServer::chain_service`) and outlives the task.
Task<ReplayReport> replay_as_client(EventLoop loop, session::Service& server, Recording recording,
                                    ReplayClientOptions options);

}  // namespace fairlead::gateway
