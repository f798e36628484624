#pragma once

#include <fairlead/gateway/arguments.hpp>

#include "gateway/config/config.hpp"
#include "gateway/record/replay_client.hpp"

namespace fairlead {
class LogSink;
}

namespace fairlead::cli {

/// A recording to replay against a server.
struct ReplayJob {
  std::string file;
  gateway::ServerConfig server;
  gateway::ArgumentList fault = {};  ///< Arguments of the fault middleware; empty for no faults.
  gateway::ReplayClientOptions options = {};
};

/// Replays the recording and prints each difference. Returns the exit code: a failure if there are differences.
int replay_to_server(ReplayJob job, LogSink& log);

/// Parses `--fault`, such as `drop=0.1,delay=50ms,seed=7`. The error is for the user.
Result<gateway::ArgumentList> read_fault(const std::string& text);

}  // namespace fairlead::cli
