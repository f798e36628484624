#pragma once

#include <cstddef>
#include <deque>
#include <fairlead/base/redactor.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead {

/// Text that somebody printed, as it may stand in an error: redacted, in one line, without what steers a terminal, and
/// no longer than `most` bytes.
std::string clean_output(std::string_view text, const Redactor& redactor, std::size_t most);

/// The last lines that a process printed, within the bounds of a diagnosis.
class OutputTail {
 public:
  /// Empty lines are left out.
  void add(std::string_view line);
  std::vector<std::string> lines(const Redactor& redactor) const;

 private:
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
};

}  // namespace fairlead
