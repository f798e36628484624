#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/loop.hpp>
#include <fairlead/transport/transport.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fairlead::cli {

/// What to try on a server.
struct SmokePlan {
  std::string tool = {};                      ///< The first that needs no arguments, if empty.
  std::optional<std::string> arguments = {};  ///< As JSON; made up from the tool's schema if absent.
  std::string revision = {};
  Duration patience = std::chrono::seconds{30};
};

struct SmokeStep {
  std::string method;
  bool ok = false;
  std::string detail;  ///< What came back, or what is wrong.
};

struct SmokeReport {
  std::vector<SmokeStep> steps = {};
  std::vector<std::string> problems = {};  ///< What came besides the answers.
  int responses = 0;
  bool reached = false;  ///< The server answered anything at all.

  bool ok() const;
};

/// `initialize`, `tools/list` and `tools/call`, one after the other: a server that works sends three responses, no
/// more.
///
/// Speaks to the transport itself, so that nothing repairs or hides what the server does.
Task<SmokeReport> run_smoke_test(Loop loop, transport::Transport& server, SmokePlan plan);

}  // namespace fairlead::cli
