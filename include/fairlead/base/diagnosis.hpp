#pragma once

#include <cstddef>
#include <fairlead/base/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead {

/// Why a server failed, as far as it can be seen from outside. Errors carry it; commands, reports and logs show it.
///
/// What the server printed is redacted, escaped and bounded. Members are spelled as in JSON, where the underscore at
/// the end is left out.
struct Diagnosis {
  std::optional<std::string> command = {};  ///< What was started, quoted so that it can be pasted into a shell.
  std::optional<std::string> step = {};     ///< What was under way: "start", or a method such as "initialize".
  std::optional<int> status = {};           ///< With which the process exited.
  std::optional<int> signal = {};           ///< That killed the process.
  std::vector<std::string> stderr_ = {};    ///< Its last lines there, the oldest first.
  std::optional<std::string> stdout_ = {};  ///< The first line there that was not a message of the protocol.
  std::optional<std::string> advice = {};   ///< What to try.

  bool operator==(const Diagnosis&) const = default;
};

/// Bounds of `Diagnosis::stderr_`: lines, bytes of all lines, bytes of one line.
inline constexpr std::size_t max_diagnosis_lines = 20;
inline constexpr std::size_t max_diagnosis_bytes = 4 * 1024;
inline constexpr std::size_t max_diagnosis_line = 1024;

/// Attaches a diagnosis to an error, and adds what the server printed to the error's message. A step that the error
/// has already stays.
Error with_diagnosis(Error error, Diagnosis diagnosis);

/// Notes what was under way when the error occurred, unless that is known.
Error at_step(Error error, std::string_view step);

/// The error without what the server printed, for readers who may not see that: other callers of the same process.
Error without_output(Error error);

/// The text in one line, for tables and logs: line breaks become " | ".
std::string one_line(std::string_view text);

/// The words as one line that can be pasted into a POSIX shell.
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace fairlead
