#include "cli/output.hpp"

#include <cstdio>
#include <string>

#include "cli/commands.hpp"

namespace fairlead::cli {

int print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  return written && std::fflush(stdout) == 0 ? exit_code::done : exit_code::failed;
}

void print_stderr(std::string_view line) {
  const auto text = std::string(line) + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace fairlead::cli
