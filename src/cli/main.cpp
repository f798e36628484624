#include <csignal>
#include <malloc.h>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace {

// Results of a megabyte come and go: memory given back to the kernel each time would be cleared and mapped each time.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int mega = 1024 * 1024;
  mallopt(M_MMAP_THRESHOLD, 32 * mega);
  mallopt(M_TRIM_THRESHOLD, 64 * mega);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  // A reader that went away is told by the write that fails.
  std::signal(SIGPIPE, SIG_IGN);
  return fairlead::cli::run({argv + 1, argv + argc});
}
