#pragma once

#include <fairlead/base/loop.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/transport/child.hpp>
#include <string>
#include <vector>

namespace fairlead::gateway {

/// What a program that was run to its end has said.
struct ProgramOutput {
  std::string out;
  std::string errors;
  transport::ExitStatus status;
};

/// Runs a program without input. One that takes longer is killed, with all that it has started, and so is one whose
/// caller is cancelled. Of its output the first megabyte counts.
Task<Result<ProgramOutput>> run_program(Loop loop, std::vector<std::string> command, Duration limit);

}  // namespace fairlead::gateway
