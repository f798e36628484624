#include "integration/cut_wire.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fairlead::test {
namespace {

struct State {
  bool counting = false;
  Cut how = Cut::none;
  int left = 0;
  int count = 0;
  int wire = -1;  // The descriptor that is cut.
};
thread_local State state;

bool carries_messages(int descriptor) {
  struct stat about = {};
  return ::fstat(descriptor, &about) == 0 && (S_ISSOCK(about.st_mode) || S_ISFIFO(about.st_mode));
}

bool is_cut(int descriptor) {
  if (!state.counting || !carries_messages(descriptor)) return false;
  ++state.count;
  if (state.how != Cut::none && state.wire < 0 && --state.left < 0) state.wire = descriptor;
  return state.wire == descriptor;
}

}  // namespace

CutWire::CutWire(Cut how, int after) {
  state = {.counting = true, .how = how, .left = after};
}
CutWire::~CutWire() {
  state = {};
}
int CutWire::count() const {
  return state.count;
}
bool CutWire::cut() const {
  return state.wire >= 0;
}

}  // namespace fairlead::test

using fairlead::test::Cut;

// In the place of the C library's: the program's own definition is found first.
extern "C" {

ssize_t read(int descriptor, void* buffer, size_t size) {
  if (!fairlead::test::is_cut(descriptor)) return ::syscall(SYS_read, descriptor, buffer, size);
  if (fairlead::test::state.how == Cut::eof) return 0;
  errno = ECONNRESET;
  return -1;
}

ssize_t write(int descriptor, const void* buffer, size_t size) {
  if (!fairlead::test::is_cut(descriptor)) return ::syscall(SYS_write, descriptor, buffer, size);
  errno = EPIPE;
  return -1;
}

ssize_t send(int descriptor, const void* buffer, size_t size, int flags) {
  if (!fairlead::test::is_cut(descriptor)) {
    return ::syscall(SYS_sendto, descriptor, buffer, size, flags, nullptr, 0);
  }
  errno = EPIPE;
  return -1;
}
}
