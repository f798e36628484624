#include <cstdlib>
#include <gtest/gtest.h>

#include "integration/cut_wire.hpp"
#include "integration/wires.hpp"
#include "support/failing_transport.hpp"
#include "support/leaks.hpp"
#include "transport/child_reaper.hpp"

/// For each transport, whichever operation fails: every call ends with the right error, nothing leaks, nothing hangs.
namespace fairlead::test::io_failure_test {
namespace {

void expect_good_or_closed(const Outcome& outcome, const char* what) {
  ASSERT_TRUE(outcome) << what << " never ended";
  if (!*outcome) {
    EXPECT_EQ(outcome->error().kind, ErrorKind::closed) << what << ": " << outcome->error().message;
    EXPECT_FALSE(outcome->error().message.empty()) << what;
  }
}

void expect_right_ends(const Script& script) {
  expect_good_or_closed(script.initialized, "initialize");
  expect_good_or_closed(script.echoed, "echo");
  // A server that lost the client it was asking says so in the result, if it can still say anything.
  expect_good_or_closed(script.asked, "ask");
  expect_good_or_closed(script.pinged, "ping");
  ASSERT_TRUE(script.waited) << "wait never ended";
  ASSERT_FALSE(*script.waited);
  const auto kind = script.waited->error().kind;
  EXPECT_TRUE(kind == ErrorKind::closed || kind == ErrorKind::cancelled) << script.waited->error().message;
}

struct Verdict {
  bool cut = false;
  bool untouched = false;
};

Verdict converse(DialogueLoop& loop, Ends& ends) {
  Server app{"demo", "1.0"};
  offer_tools(app);
  Dialogue dialogue(loop, *ends.client, ends.server.get(), app);
  Script script(loop, dialogue.client());
  const bool ended = dialogue.ends(script.over);
  EXPECT_TRUE(ended) << "it hangs";
  // What hangs refers to what goes now.
  if (!ended) std::abort();
  expect_right_ends(script);
  return {.untouched = !testing::Test::HasFailure() && script.untouched()};
}

// The child's end is noticed by the loop.
void bury_children(DialogueLoop& loop, Ends& ends) {
  if (auto* child = dynamic_cast<transport::ChildTransport*>(ends.client.get())) wait_for(loop, child->shutdown());
}

Verdict converse_and_cut(const Wire& wire, Cut how, int after) {
  DialogueLoop loop;
  auto ends = wire.connect(loop);
  Verdict verdict;
  {
    CutWire cutter(how, after);
    verdict = converse(loop, ends);
    verdict.cut = cutter.cut();
  }
  bury_children(loop, ends);
  return verdict;
}

void cut_everywhere(const Wire& wire, Cut how) {
  transport::child_reaper();  // There is one for the whole program, which keeps a descriptor.
  const auto descriptors = open_descriptors();
  for (int after = 0;; ++after) {
    SCOPED_TRACE(std::string(wire.name) + ", cut after " + std::to_string(after));
    const auto verdict = converse_and_cut(wire, how, after);
    EXPECT_EQ(open_descriptors(), descriptors) << "a descriptor is left";
    EXPECT_FALSE(has_children()) << "a child is left";
    if (testing::Test::HasFailure()) return;
    if (verdict.cut) continue;
    EXPECT_TRUE(verdict.untouched);
    EXPECT_GE(after, 6) << "so little was done that nothing was tested";
    return;
  }
}

TEST(IoFailure, WhicheverSystemCallOnAUnixSocketFails) {
  for (const auto how : {Cut::reset, Cut::eof}) cut_everywhere({"Unix socket", over_unix}, how);
}

TEST(IoFailure, WhicheverSystemCallOnTcpFails) {
  for (const auto how : {Cut::reset, Cut::eof}) cut_everywhere({"TCP", over_tcp}, how);
}

TEST(IoFailure, WhicheverSystemCallOnStdioFails) {
  for (const auto how : {Cut::reset, Cut::eof}) cut_everywhere({"stdio", over_stdio}, how);
}

TEST(IoFailure, WhicheverSystemCallOnAChildsPipesFails) {
  for (const auto how : {Cut::reset, Cut::eof}) cut_everywhere({"child", over_child}, how);
}

// In memory there is no system call to fail: one end's messages are counted instead.
Verdict converse_and_break(const Wire& wire, bool at_server, int after) {
  DialogueLoop loop;
  auto ends = wire.connect(loop);
  auto& end = at_server ? ends.server : ends.client;
  auto failing = std::make_unique<FailingTransport>(std::move(end), after);
  const auto* watched = failing.get();
  end = std::move(failing);
  auto verdict = converse(loop, ends);
  verdict.cut = watched->was_cut();
  return verdict;
}

TEST(IoFailure, WhicheverMessageInMemoryFails) {
  for (const Wire wire : {Wire{"memory", over_memory}, Wire{"memory bytes", over_memory_bytes}}) {
    for (const bool at_server : {false, true}) {
      Verdict verdict{.cut = true};
      for (int after = 0; verdict.cut && !HasFailure(); ++after) {
        SCOPED_TRACE(std::string(wire.name) + (at_server ? ", server" : ", client") + " " + std::to_string(after));
        verdict = converse_and_break(wire, at_server, after);
      }
      EXPECT_TRUE(verdict.untouched);
    }
  }
}

}  // namespace
}  // namespace fairlead::test::io_failure_test
