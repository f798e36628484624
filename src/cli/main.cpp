#include <csignal>
#include <cstdlib>
#include <malloc.h>
#include <sys/prctl.h>

#include "cli/commands.hpp"

namespace {

// Results of a megabyte are allocated and freed all the time. If freed memory went back to the kernel each time, the
// kernel would have to clear and map it again.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int mega = 1024 * 1024;
  mallopt(M_MMAP_THRESHOLD, 32 * mega);
  mallopt(M_TRIM_THRESHOLD, 64 * mega);
#endif
}

// The process holds tokens and keys: no core dumps, and servers that it starts as the same user cannot read its memory.
// The flag is not inherited by them. FAIRLEAD_DUMPABLE=1 allows debuggers.
void forbid_memory_dumps() {
  const char* allowed = std::getenv("FAIRLEAD_DUMPABLE");
  if (allowed == nullptr || std::string_view(allowed) != "1") ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace

int main(int argc, char** argv) {
  forbid_memory_dumps();
  keep_freed_memory();
  // A write to a closed pipe or socket reports EPIPE instead of killing the process.
  std::signal(SIGPIPE, SIG_IGN);
  return fairlead::cli::run({argv + 1, argv + argc});
}
