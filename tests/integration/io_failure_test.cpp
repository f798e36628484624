#include <cstdlib>
#include <gtest/gtest.h>

#include "integration/failing_syscalls.hpp"
#include "integration/transport_pairs.hpp"
#include "support/failing_transport.hpp"
#include "support/leak_check.hpp"
#include "transport/child_reaper.hpp"

/// On each transport, any operation may fail: every call ends with the right error, nothing leaks, nothing hangs.
namespace fairlead::test::io_failure_test {
namespace {

void expect_good_or_closed(const Outcome& outcome, const char* what) {
  ASSERT_TRUE(outcome) << what << " never ended";
  if (!*outcome) {
    EXPECT_EQ(outcome->error().kind, ErrorKind::closed) << what << ": " << outcome->error().message;
    EXPECT_FALSE(outcome->error().message.empty()) << what;
  }
}

void expect_right_ends(const ClientScript& script) {
  expect_good_or_closed(script.initialized, "initialize");
  expect_good_or_closed(script.echoed, "echo");
  // A server that lost its client during a server request reports that in the result, if it can still send one.
  expect_good_or_closed(script.requested, "ask");
  expect_good_or_closed(script.pinged, "ping");
  ASSERT_TRUE(script.waited) << "wait never ended";
  ASSERT_FALSE(*script.waited);
  const auto kind = script.waited->error().kind;
  EXPECT_TRUE(kind == ErrorKind::closed || kind == ErrorKind::cancelled) << script.waited->error().message;
}

struct ScriptOutcome {
  bool cut = false;
  bool untouched = false;
};

ScriptOutcome run_script(SessionLoop& loop, TransportPair& ends) {
  Server app{"demo", "1.0"};
  add_sample_tools(app);
  SessionPair dialogue(loop, *ends.client, ends.server.get(), app);
  ClientScript script(loop, dialogue.client());
  const bool ended = dialogue.ends(script.over);
  EXPECT_TRUE(ended) << "the sessions hang";
  // A hanging coroutine refers to objects that are destroyed now.
  if (!ended) std::abort();
  expect_right_ends(script);
  return {.untouched = !testing::Test::HasFailure() && script.untouched()};
}

// The event loop must run to notice the exit of the child process.
void shut_down_child(SessionLoop& loop, TransportPair& ends) {
  if (auto* child = dynamic_cast<transport::ChildTransport*>(ends.client.get())) wait_for(loop, child->shutdown());
}

ScriptOutcome run_script_with_syscall_failure(const TransportCase& wire, FailureKind how, int after) {
  SessionLoop loop;
  auto ends = wire.connect(loop);
  ScriptOutcome verdict;
  {
    FailingSyscalls cutter(how, after);
    verdict = run_script(loop, ends);
    verdict.cut = cutter.cut();
  }
  shut_down_child(loop, ends);
  return verdict;
}

void fail_each_syscall(const TransportCase& wire, FailureKind how) {
  transport::child_reaper();  // One per program; keeps a descriptor open.
  const auto descriptors = open_descriptors();
  for (int after = 0;; ++after) {
    SCOPED_TRACE(std::string(wire.name) + ", cut after " + std::to_string(after));
    const auto verdict = run_script_with_syscall_failure(wire, how, after);
    EXPECT_EQ(open_descriptors(), descriptors) << "a descriptor is left";
    EXPECT_FALSE(has_children()) << "a child is left";
    if (testing::Test::HasFailure()) return;
    if (verdict.cut) continue;
    EXPECT_TRUE(verdict.untouched);
    EXPECT_GE(after, 6) << "so little was done that nothing was tested";
    return;
  }
}

TEST(IoFailure, AnySystemCallOnAUnixSocketMayFail) {
  for (const auto how : {FailureKind::reset, FailureKind::eof}) fail_each_syscall({"Unix socket", over_unix}, how);
}

TEST(IoFailure, AnySystemCallOnTcpMayFail) {
  for (const auto how : {FailureKind::reset, FailureKind::eof}) fail_each_syscall({"TCP", over_tcp}, how);
}

TEST(IoFailure, AnySystemCallOnStdioMayFail) {
  for (const auto how : {FailureKind::reset, FailureKind::eof}) fail_each_syscall({"stdio", over_stdio}, how);
}

TEST(IoFailure, AnySystemCallOnChildPipesMayFail) {
  for (const auto how : {FailureKind::reset, FailureKind::eof}) fail_each_syscall({"child", over_child}, how);
}

// The memory transports make no system calls, so messages are counted instead.
ScriptOutcome run_script_with_message_failure(const TransportCase& wire, bool at_server, int after) {
  SessionLoop loop;
  auto ends = wire.connect(loop);
  auto& end = at_server ? ends.server : ends.client;
  auto failing = std::make_unique<FailingTransport>(std::move(end), after);
  const auto* watched = failing.get();
  end = std::move(failing);
  auto verdict = run_script(loop, ends);
  verdict.cut = watched->was_cut();
  return verdict;
}

TEST(IoFailure, AnyMemoryMessageMayFail) {
  for (const TransportCase wire :
       {TransportCase{"memory", over_memory}, TransportCase{"memory bytes", over_memory_bytes}}) {
    for (const bool at_server : {false, true}) {
      ScriptOutcome verdict{.cut = true};
      for (int after = 0; verdict.cut && !HasFailure(); ++after) {
        SCOPED_TRACE(std::string(wire.name) + (at_server ? ", server" : ", client") + " " + std::to_string(after));
        verdict = run_script_with_message_failure(wire, at_server, after);
      }
      EXPECT_TRUE(verdict.untouched);
    }
  }
}

}  // namespace
}  // namespace fairlead::test::io_failure_test
