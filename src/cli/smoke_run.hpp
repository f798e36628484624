#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/transport/transport.hpp>

namespace fairlead::cli {

/// What to test.
struct SmokePlan {
  std::string tool = {};                      ///< If empty, the first tool without required arguments.
  std::optional<std::string> arguments = {};  ///< As JSON; generated from the tool's schema if absent.
  std::string revision = {};
  Duration timeout = std::chrono::seconds{30};
};

struct SmokeStep {
  std::string method;
  bool ok = false;
  std::string detail;  ///< The result or the error.
};

struct SmokeReport {
  std::vector<SmokeStep> steps = {};
  std::vector<std::string> problems = {};  ///< Unexpected messages.
  int responses = 0;
  bool reached = false;  ///< The server sent at least one message.

  bool ok() const;
};

/// Sends `initialize`, `tools/list` and `tools/call` in turn. A correct server sends exactly three responses.
///
/// Uses the transport directly, so that no client code repairs or hides errors of the server.
Task<SmokeReport> run_smoke_test(EventLoop loop, transport::Transport& server, SmokePlan plan);

}  // namespace fairlead::cli
