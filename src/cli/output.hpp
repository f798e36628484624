#pragma once

#include <string_view>

namespace fairlead::cli {

/// Prints to stdout. Returns the exit code: a failure if the disk is full or the pipe is closed.
int print(std::string_view text);

/// Prints a line to stderr.
void print_stderr(std::string_view line);

}  // namespace fairlead::cli
