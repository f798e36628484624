#include "transport/child_reaper.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <fairlead/base/descriptor.hpp>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace fairlead::transport {
namespace {

struct GroupReport {
  pid_t group = 0;
  int runs = 0;
};

/// State of the reaper. Fixed size: a process forked from a multi-threaded one must not allocate. Groups beyond the
/// limit only get the SIGTERM of the kernel.
struct Groups {
  std::array<pid_t, 16'384> all;
  std::size_t count;

  void apply(const GroupReport& report) {
    auto* const end = all.data() + count;
    auto* const found = std::find(all.data(), end, report.group);
    if (report.runs != 0 && found == end && count < all.size()) all[count++] = report.group;
    if (report.runs == 0 && found != end) *found = all[--count];
  }
  void signal(int number) const {
    for (std::size_t i = 0; i < count; ++i) ::kill(-all[i], number);
  }
  bool any_left() const {
    for (std::size_t i = 0; i < count; ++i) {
      if (::kill(-all[i], 0) == 0) return true;
    }
    return false;
  }
};

Groups reaper_groups;  // Used only in the reaper process.

void close_all_but(unsigned first, unsigned second) {
  const auto low = std::min(first, second), high = std::max(first, second);
  const auto close = [](unsigned from, unsigned to) {
    if (from <= to) ::syscall(SYS_close_range, from, to, 0u);
  };
  if (low > 0) close(0, low - 1);
  close(low + 1, high - 1);
  close(high + 1, UINT_MAX);
}

// False if no report is available, or the socket is closed.
bool read_report(int reports, int flags) {
  GroupReport report;
  ssize_t size = 0;
  do {
    size = ::recv(reports, &report, sizeof(report), flags);
  } while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(sizeof(report))) return false;
  reaper_groups.apply(report);
  return true;
}

// Runs until the program has exited or closed its end. All signals are blocked.
void watch_program(int reports, int program) {
  pollfd watched[] = {{.fd = reports, .events = POLLIN, .revents = 0}, {.fd = program, .events = POLLIN, .revents = 0}};
  while (true) {
    if (::poll(watched, 2, -1) < 0 && errno != EINTR) return;
    if (watched[1].revents != 0) return;
    if (watched[0].revents != 0 && !read_report(reports, 0)) return;
  }
}

[[noreturn]] void run_reaper(int reports, int program) {
  ::prctl(PR_SET_NAME, "fairlead-reaper");
  (void)!::chdir("/");
  close_all_but(static_cast<unsigned>(reports), static_cast<unsigned>(program));
  watch_program(reports, program);
  while (read_report(reports, MSG_DONTWAIT)) {
  }
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 20'000'000};
  constexpr int pauses = 100;
  reaper_groups.signal(SIGTERM);
  for (int i = 0; i < pauses && reaper_groups.any_left(); ++i) ::nanosleep(&pause, nullptr);
  reaper_groups.signal(SIGKILL);
  ::_exit(0);
}

// Forked twice, so that the program's `wait` calls never see it.
[[noreturn]] void start_apart(int reports, int program) {
  ::setsid();
  const pid_t pid = ::fork();
  if (pid == 0) run_reaper(reports, program);
  ::_exit(pid < 0 ? 1 : 0);
}

Descriptor start_reaper() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) return {};
  Descriptor ours(ends[0]), theirs(ends[1]);
  // The end of the socket is not enough: a forked process may hold it open.
  const Descriptor program(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!program) return {};
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) start_apart(theirs.get(), program.get());
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return {};
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return ours;
}

}  // namespace

int child_reaper() {
  static std::mutex mutex;
  static Descriptor reaper;
  static pid_t owner = -1;
  const std::lock_guard lock(mutex);
  // A forked process needs its own reaper.
  if (owner != ::getpid()) {
    reaper = start_reaper();
    owner = ::getpid();
  }
  return reaper.get();
}

void report_group(int reaper, pid_t group, bool runs) noexcept {
  const GroupReport report{.group = group, .runs = runs ? 1 : 0};
  // Lost if the reaper is gone or stopped: better than blocking the program.
  if (reaper >= 0) (void)!::send(reaper, &report, sizeof(report), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace fairlead::transport
