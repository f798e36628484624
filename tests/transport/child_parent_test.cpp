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

// A program that starts a child and dies without a word.
[[noreturn]] void start_and_die(int report) {
  TestLoop loop;
  auto child = ChildTransport::start(loop.loop(), {.command = {"/bin/sleep", "100"}});
  const pid_t pid = child ? (*child)->pid() : -1;
  (void)!::write(report, &pid, sizeof(pid));
  ::_exit(0);
}

TEST(ChildParent, AChildDoesNotOutliveTheProgramThatStartedIt) {
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
  for (int tries = 0; tries < 10'000 && is_alive(grandchild); ++tries) ::usleep(1000);
  EXPECT_FALSE(is_alive(grandchild));
}

}  // namespace
}  // namespace fairlead::transport::child_parent_test
