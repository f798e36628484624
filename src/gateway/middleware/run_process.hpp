#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/transport/child.hpp>

namespace fairlead::gateway {

/// Output and exit status of a process.
struct ProcessOutput {
  std::string out;
  std::string errors;
  transport::ExitStatus status;
};

/// Runs a program without input. Kills it with its children after `limit` or if the caller is cancelled. Keeps the
/// first megabyte of its output.
Task<Result<ProcessOutput>> run_process(EventLoop loop, std::vector<std::string> command, Duration limit);

}  // namespace fairlead::gateway
