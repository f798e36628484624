#pragma once

#include <cstddef>
#include <fairlead/base/loop.hpp>
#include <fairlead/session/service.hpp>
#include <string>
#include <vector>

#include "gateway/record/recording.hpp"

namespace fairlead::gateway {

struct ReplayClientOptions {
  bool lenient = false;                          ///< Notices may come in any order, and there may be more of them.
  double speed = 0;                              ///< As of `ReplayOptions`.
  Duration patience = std::chrono::seconds{30};  ///< For each thing that has to come.
  std::vector<std::string> ignore = {};          ///< Names of members whose values do not matter.
};

/// What came of it.
struct ReplayReport {
  std::size_t calls = 0;
  std::size_t compared = 0;                   ///< Replies, questions and notices of the server.
  std::vector<std::string> differences = {};  ///< Each begins with the line of the file.
};

/// Says to a server what the recorded clients said, in their order, and compares what it says. `server` takes calls in
/// the form that the recording has: `Room::behind_front`. It outlives the task.
Task<ReplayReport> replay_as_client(Loop loop, session::Service& server, Recording recording,
                                    ReplayClientOptions options);

}  // namespace fairlead::gateway
