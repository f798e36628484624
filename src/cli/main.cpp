#include <csignal>
#include <string>
#include <vector>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  // A reader that went away is told by the write that fails.
  std::signal(SIGPIPE, SIG_IGN);
  return fairlead::cli::run({argv + 1, argv + argc});
}
