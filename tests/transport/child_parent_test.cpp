#include <fairlead/transport/child.hpp>
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test_loop.hpp"

namespace fairlead::transport::child_parent_test {
namespace {

using namespace test;

bool is_alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  stat >> number >> name >> state;
  return stat.good() && state != "Z" && state != "X";
}

// A program that starts a child and is killed.
[[noreturn]] void start_and_die(int report) {
  TestLoop loop;
  auto child = ChildTransport::start(loop.loop(), {.command = {"/bin/sleep", "100"}});
  const pid_t pid = child ? (*child)->pid() : -1;
  (void)!::write(report, &pid, sizeof(pid));
  ::_exit(0);
}

// The program has a child and a grandchild that ignore SIGTERM, and is killed with SIGKILL.
[[noreturn]] void start_stubborn_and_die(const std::string& file) {
  TestLoop loop;
  const auto script =
      "trap '' TERM; sleep 1000 & echo $$ $! > " + file + ".part; mv " + file + ".part " + file + "; wait";
  auto child = ChildTransport::start(loop.loop(), {.command = {"/bin/sh", "-c", script}});
  for (int tries = 0; tries < 30'000 && ::access(file.c_str(), F_OK) != 0; ++tries) ::usleep(1000);
  ::kill(::getpid(), SIGKILL);
  ::_exit(0);
}

TEST(ChildParent, ChildDoesNotOutliveItsParent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t program = ::fork();
  if (program == 0) start_and_die(ends[1]);
  ::waitpid(program, nullptr, 0);
  pid_t grandchild = -1;
  ASSERT_EQ(::read(ends[0], &grandchild, sizeof(grandchild)), static_cast<ssize_t>(sizeof(grandchild)));
  ::close(ends[0]);
  ::close(ends[1]);
  ASSERT_GT(grandchild, 1);
  for (int tries = 0; tries < 30'000 && is_alive(grandchild); ++tries) ::usleep(1000);
  EXPECT_FALSE(is_alive(grandchild));
}

TEST(ChildParent, Finding_S22_GrandchildrenDoNotOutliveAKilledProgram) {
  const auto file = testing::TempDir() + "fairlead-stubborn-" + std::to_string(::getpid());
  const pid_t program = ::fork();
  if (program == 0) start_stubborn_and_die(file);
  int status = 0;
  ::waitpid(program, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  pid_t child = -1, grandchild = -1;
  ASSERT_TRUE(std::ifstream(file) >> child >> grandchild);
  ::unlink(file.c_str());
  for (const pid_t pid : {child, grandchild}) {
    ASSERT_GT(pid, 1);
    for (int tries = 0; tries < 30'000 && is_alive(pid); ++tries) ::usleep(1000);
    EXPECT_FALSE(is_alive(pid));
    if (is_alive(pid)) ::kill(pid, SIGKILL);
  }
}

}  // namespace
}  // namespace fairlead::transport::child_parent_test
