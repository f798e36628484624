#pragma once

#include <cstddef>
#include <deque>
#include <fairlead/base/redactor.hpp>

namespace fairlead {

/// Makes the output of a process safe for an error message: redacts it, escapes line breaks, removes terminal control
/// codes, and truncates it to `most` bytes.
std::string clean_output(std::string_view text, const Redactor& redactor, std::size_t most);

/// Keeps the last lines of a process's output, within the limits of Diagnosis.
class OutputTail {
 public:
  /// Ignores empty lines.
  void add(std::string_view line);
  std::vector<std::string> lines(const Redactor& redactor) const;

 private:
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
};

}  // namespace fairlead
