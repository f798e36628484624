#include <cstdlib>
#include <fairlead/transport/child.hpp>
#include <gtest/gtest.h>
#include <signal.h>

#include "support/leak_check.hpp"
#include "support/messages.hpp"
#include "support/test_loop.hpp"
#include "transport/child_reaper.hpp"

namespace fairlead::transport::many_children_test {
namespace {

using namespace test;
using namespace std::chrono_literals;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

/// How a child behaves on shutdown; a quarter of them each.
enum class ChildBehavior { killed, stubborn, polite, forgotten };

ChildOptions options_for(ChildBehavior behavior) {
  if (behavior != ChildBehavior::stubborn) return {.command = {"/bin/cat"}, .exit_timeout = 60s};
  return {.command = {"/bin/sh", "-c", "trap '' TERM; echo '" + ping + "'; exec sleep 1000"}, .exit_timeout = 10ms};
}

// Returns the error; nothing on success.
Task<std::string> live_and_die(EventLoop loop, ChildBehavior behavior) {
  auto started = ChildTransport::start(loop, options_for(behavior));
  if (!started) co_return started.error().message;
  auto& child = **started;
  if (behavior != ChildBehavior::stubborn) {
    Outgoing outgoing{request(1)};
    const auto sent = co_await child.send(std::move(outgoing));
    if (!sent) co_return sent.error().message;
  }
  const auto text_received = text(co_await child.receive());
  if (text_received != ping) co_return "received " + text_received;
  if (behavior == ChildBehavior::forgotten) co_return "";
  if (behavior == ChildBehavior::killed) ::kill(child.pid(), SIGKILL);
  auto end = behavior == ChildBehavior::killed ? child.wait() : child.shutdown();
  const auto ended = co_await std::move(end);
  const bool by_kill = ended && *ended == ExitStatus{.code = SIGKILL, .signalled = true};
  co_return by_kill == (behavior != ChildBehavior::polite) ? "" : "it " + ended->text();
}

Task<std::string> live_and_die_in_turn(EventLoop loop, int& next, int count) {
  while (next < count) {
    const auto behavior = static_cast<ChildBehavior>(next++ % 4);
    auto wrong = co_await live_and_die(loop, behavior);
    if (!wrong.empty()) co_return wrong;
  }
  co_return "";
}

// FAIRLEAD_CHILDREN=10000 is for a release build and takes about a minute.
TEST(ManyChildren, LeaveNoZombiesAndNoDescriptors) {
  const char* const wanted = std::getenv("FAIRLEAD_CHILDREN");
  const int count = wanted != nullptr ? std::atoi(wanted) : 400;
  constexpr int at_once = 16;
  TestLoop loop;
  child_reaper();  // The reaper of the process keeps one descriptor.
  loop.poll();
  const auto descriptors = open_descriptors();
  int next = 0;
  std::vector<Pending<std::string>> running;
  for (int i = 0; i < at_once; ++i) running.push_back(loop.start(live_and_die_in_turn(loop.loop(), next, count)));
  for (const auto& one : running) EXPECT_EQ(loop.finish(one, std::chrono::minutes{10}), "");
  EXPECT_EQ(next, count);
  loop.context().restart();
  while (has_children() && loop.context().run_one_for(30s) > 0) {
  }
  loop.poll();
  EXPECT_FALSE(has_children()) << "a zombie is left";
  EXPECT_EQ(open_descriptors(), descriptors) << "a descriptor is left";
}

}  // namespace
}  // namespace fairlead::transport::many_children_test
