#include "integration/failing_syscalls.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fairlead::test {
namespace {

struct State {
  bool counting = false;
  FailureKind how = FailureKind::none;
  int left = 0;
  int count = 0;
  int wire = -1;  // The descriptor that fails.
};
thread_local State state;

bool carries_messages(int descriptor) {
  struct stat about = {};
  return ::fstat(descriptor, &about) == 0 && (S_ISSOCK(about.st_mode) || S_ISFIFO(about.st_mode));
}

bool should_fail(int descriptor) {
  if (!state.counting || !carries_messages(descriptor)) return false;
  ++state.count;
  if (state.how != FailureKind::none && state.wire < 0 && --state.left < 0) state.wire = descriptor;
  return state.wire == descriptor;
}

}  // namespace

FailingSyscalls::FailingSyscalls(FailureKind how, int after) {
  state = {.counting = true, .how = how, .left = after};
}
FailingSyscalls::~FailingSyscalls() {
  state = {};
}
int FailingSyscalls::count() const {
  return state.count;
}
bool FailingSyscalls::cut() const {
  return state.wire >= 0;
}

}  // namespace fairlead::test

using fairlead::test::FailureKind;

// Replaces the functions of the C library: the linker finds these first.
extern "C" {

ssize_t read(int descriptor, void* buffer, size_t size) {
  if (!fairlead::test::should_fail(descriptor)) return ::syscall(SYS_read, descriptor, buffer, size);
  if (fairlead::test::state.how == FailureKind::eof) return 0;
  errno = ECONNRESET;
  return -1;
}

ssize_t write(int descriptor, const void* buffer, size_t size) {
  if (!fairlead::test::should_fail(descriptor)) return ::syscall(SYS_write, descriptor, buffer, size);
  errno = EPIPE;
  return -1;
}

ssize_t send(int descriptor, const void* buffer, size_t size, int flags) {
  if (!fairlead::test::should_fail(descriptor)) {
    return ::syscall(SYS_sendto, descriptor, buffer, size, flags, nullptr, 0);
  }
  errno = EPIPE;
  return -1;
}
}
