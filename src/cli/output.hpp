#pragma once

#include <string_view>

namespace fairlead::cli {

/// Prints to stdout. Returns the exit code: a failure if the disk is full or the pipe is closed.
int print(std::string_view text);

/// Prints a line to stderr.
void print_stderr(std::string_view line);

/// Prints `fairlead <command>: <why>` to stderr, and returns `code`. `command` may be empty.
int report_error(std::string_view command, std::string_view why, int code);

/// Like report_error, and points to the help page of the command. Returns the exit code of a usage error.
int usage_error(std::string_view command, std::string_view why);

}  // namespace fairlead::cli
