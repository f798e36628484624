#pragma once

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

/// Schemas and example messages of the specification, stored outside the repository.
namespace fairlead::test {

inline std::filesystem::path official_data() {
  return FAIRLEAD_SHARED_DATA;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline boost::json::value parse(std::string_view text) {
  boost::json::parse_options options;
  options.max_depth = 1024;
  return boost::json::parse(text, {}, options);
}

#define SKIP_WITHOUT_OFFICIAL_DATA()                                                                 \
  if (!std::filesystem::exists(fairlead::test::official_data()))                                     \
  GTEST_SKIP() << "the official schemas and examples are not at " << fairlead::test::official_data() \
               << "; set FAIRLEAD_SHARED_DATA to check against them"

}  // namespace fairlead::test
