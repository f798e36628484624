#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/record/line.hpp"

namespace fairlead::gateway {

/// What a file holds of one hop: the one that its head names, else the first.
struct Recording {
  std::string path = {};
  std::vector<RecordLine> lines = {};  ///< Each call with its caller, told or not.
  std::vector<std::size_t> numbers = {};

  /// Where a line stands, as in `s.mcpl:12`.
  std::string place(std::size_t index) const { return path + ":" + std::to_string(numbers.at(index)); }
};

/// Errors name the file and the line.
Result<Recording> read_recording(const std::string& path);
Result<Recording> parse_recording(const std::string& path, std::string_view text);

}  // namespace fairlead::gateway
