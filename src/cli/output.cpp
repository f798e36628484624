#include "cli/output.hpp"

#include <cstdio>
#include <fmt/format.h>

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

int report_error(std::string_view command, std::string_view why, int code) {
  print_stderr(fmt::format("fairlead{}{}: {}", command.empty() ? "" : " ", command, why));
  return code;
}

int usage_error(std::string_view command, std::string_view why) {
  const auto* const space = command.empty() ? "" : " ";
  return report_error(command, fmt::format("{}; see fairlead{}{} --help", why, space, command), exit_code::usage);
}

}  // namespace fairlead::cli
