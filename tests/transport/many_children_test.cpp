#include <cstdlib>
#include <fairlead/transport/child.hpp>
#include <gtest/gtest.h>
#include <signal.h>

#include "support/leaks.hpp"
#include "support/messages.hpp"
#include "support/test_loop.hpp"
#include "transport/child_reaper.hpp"

namespace fairlead::transport::many_children_test {
namespace {

using namespace test;
using namespace std::chrono_literals;

const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

/// How a child's life ends; a quarter of them each.
enum class Fate { killed, stubborn, polite, forgotten };

ChildOptions options_for(Fate fate) {
  if (fate != Fate::stubborn) return {.command = {"/bin/cat"}, .patience = 60s};
  return {.command = {"/bin/sh", "-c", "trap '' TERM; echo '" + ping + "'; exec sleep 1000"}, .patience = 10ms};
}

// What went wrong; nothing, if all is well.
Task<std::string> live_and_die(Loop loop, Fate fate) {
  auto started = ChildTransport::start(loop, options_for(fate));
  if (!started) co_return started.error().message;
  auto& child = **started;
  if (fate != Fate::stubborn) {
    Outgoing outgoing{request(1)};
    const auto sent = co_await child.send(std::move(outgoing));
    if (!sent) co_return sent.error().message;
  }
  const auto said = text(co_await child.receive());
  if (said != ping) co_return "it said " + said;
  if (fate == Fate::forgotten) co_return "";
  if (fate == Fate::killed) ::kill(child.pid(), SIGKILL);
  const auto ended = fate == Fate::killed ? co_await child.wait() : co_await child.shutdown();
  const bool by_kill = ended && *ended == ExitStatus{.code = SIGKILL, .signalled = true};
  co_return by_kill == (fate != Fate::polite) ? "" : "it " + ended->text();
}

Task<std::string> live_and_die_in_turn(Loop loop, int& next, int count) {
  while (next < count) {
    const auto fate = static_cast<Fate>(next++ % 4);
    auto wrong = co_await live_and_die(loop, fate);
    if (!wrong.empty()) co_return wrong;
  }
  co_return "";
}

// FAIRLEAD_CHILDREN=10000 is for a release build and takes about a minute.
TEST(ManyChildren, LeaveNoZombieAndNoDescriptor) {
  const char* const wanted = std::getenv("FAIRLEAD_CHILDREN");
  const int count = wanted != nullptr ? std::atoi(wanted) : 400;
  constexpr int at_once = 16;
  TestLoop loop;
  child_reaper();  // There is one for the whole program, which keeps a descriptor.
  loop.poll();
  const auto descriptors = open_descriptors();
  int next = 0;
  std::vector<Pending<std::string>> running;
  for (int i = 0; i < at_once; ++i) running.push_back(loop.start(live_and_die_in_turn(loop.loop(), next, count)));
  for (const auto& one : running) EXPECT_EQ(loop.finish(one), "");
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
