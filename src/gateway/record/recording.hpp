#pragma once

#include <cstddef>
#include <vector>

#include "gateway/record/record_line.hpp"

namespace fairlead::gateway {

/// The lines of one point: the one named in the head, else the first.
struct Recording {
  std::string path = {};
  std::vector<RecordLine> lines = {};  ///< Each call has its caller.
  std::vector<std::size_t> numbers = {};

  /// Location of a line, such as `s.mcpl:12`.
  std::string place(std::size_t index) const { return path + ":" + std::to_string(numbers.at(index)); }
};

/// Errors name file and line.
Result<Recording> read_recording(const std::string& path);
Result<Recording> parse_recording(const std::string& path, std::string_view text);

}  // namespace fairlead::gateway
