#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace fairlead {

/// What is known about why a server process failed. Attached to errors; shown by commands, reports and logs.
///
/// Server output is redacted, escaped and bounded. Member names are those of the JSON form, without a trailing
/// underscore.
struct Diagnosis {
  std::optional<std::string> command = {};  ///< The command line, quoted for a POSIX shell.
  std::optional<std::string> step = {};     ///< "start", or the method that failed, such as "initialize".
  std::optional<int> status = {};           ///< Exit status of the process.
  std::optional<int> signal = {};           ///< Signal that killed the process.
  std::vector<std::string> stderr_ = {};    ///< Last lines on stderr, oldest first.
  std::optional<std::string> stdout_ = {};  ///< First line on stdout that was not a protocol message.
  std::optional<std::string> advice = {};   ///< What the user can try.

  bool operator==(const Diagnosis&) const = default;
};

/// Bounds of `Diagnosis::stderr_`: lines, bytes of all lines, bytes of one line.
inline constexpr std::size_t max_diagnosis_lines = 20;
inline constexpr std::size_t max_diagnosis_bytes = 4 * 1024;
inline constexpr std::size_t max_diagnosis_line = 1024;

/// Attaches a diagnosis to an error and appends the server's output to the error's message. Keeps a step that the
/// error already has.
Error with_diagnosis(Error error, Diagnosis diagnosis);

/// Sets `step` of the error's diagnosis unless it is already set.
Error with_step(Error error, std::string_view step);

/// Removes the server's output from the error, for clients that share the process with the client that caused it.
Error without_output(Error error);

/// Replaces line breaks by " | ", for tables and logs.
std::string one_line(std::string_view text);

/// Joins the words to one command line, quoted for a POSIX shell.
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace fairlead
