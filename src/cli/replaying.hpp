#pragma once

#include <fairlead/gateway/arguments.hpp>
#include <string>

#include "gateway/config/config.hpp"
#include "gateway/record/replay_client.hpp"

namespace fairlead {
class LogSink;
}

namespace fairlead::cli {

/// A recording to play to a server.
struct Replaying {
  std::string file;
  gateway::ServerConfig server;
  gateway::ArgumentList fault = {};  ///< None for a way without faults.
  gateway::ReplayClientOptions options = {};
};

/// Prints each difference. The exit code says whether there were any.
int replay_against(Replaying replaying, LogSink& log);

/// `drop=0.1,delay=50ms,seed=7`. An error is the user's.
Result<gateway::ArgumentList> read_fault(const std::string& text);

}  // namespace fairlead::cli
