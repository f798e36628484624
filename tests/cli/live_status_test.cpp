#include "cli/live_status.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::cli::live_test {
namespace {

using testing::HasSubstr;
using testing::Not;

gateway::GatewayReport a_report() {
  gateway::GatewayReport report{.version = "0.1.0", .pid = 42, .uptimeSeconds = 3725};
  report.listens = {"http://127.0.0.1:8080/mcp"};
  gateway::ServerReport git{.name = "git", .state = "ready", .transport = "stdio", .address = "uvx"};
  git.pids = {4711};
  git.era = "handshake";
  git.revision = "2025-11-25";
  git.restarts = 1;
  git.calls = 120;
  git.errors = 3;
  git.p50Ms = 1.5;
  git.p99Ms = 42;
  git.lastError = "no \x1b[2Jluck";
  report.servers = {git, {.name = "docs", .state = "idle", .transport = "https", .address = "https://docs"}};
  return report;
}

TEST(LiveStatus, ShowsTheGatewayAndARowForEachServer) {
  EXPECT_EQ(
      to_text(a_report(), Screen{}),
      "fairlead 0.1.0, pid 42, for 1 h 2 min: http://127.0.0.1:8080/mcp\n"
      "NAME  STATE   PID  ERA        REVISION    TRANSPORT  RESTARTS  CALLS  ERRORS      P50      P99  LAST ERROR\n"
      "git   ready  4711  handshake  2025-11-25  stdio             1    120       3  1.50 ms  42.0 ms  no "
      "\\u001b[2Jluck\n"
      "docs  idle      -  -          -           https             0      0       0        -        -\n");
}

TEST(LiveStatus, TruncatesToTerminalWidth) {
  const auto text = to_text(a_report(), Screen{.is_terminal = true, .columns = 105});
  EXPECT_THAT(text, Not(HasSubstr("luck")));
  EXPECT_THAT(text, HasSubstr("…\n"));
}

TEST(LiveStatus, ColoursStates) {
  const auto text = to_text(a_report(), Screen{.is_terminal = true, .colours = true});
  EXPECT_THAT(text, HasSubstr("\x1b[32mready\x1b[0m"));
}

}  // namespace
}  // namespace fairlead::cli::live_test
