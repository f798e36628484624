#include "cli/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::cli::options_test {
namespace {

using testing::ElementsAre;

TEST(Options, AListTakesOneValueEachTimeAndLeavesTheWordsBehindIt) {
  Options options("explain", "tells");
  std::vector<std::string> files, words;
  options.list("-c", files, "which file", "<file>");
  options.words("words", words, "the others");
  EXPECT_EQ(options.parse({"-c", "a.yaml", "demo", "-c", "b.yaml", "echo"}), std::nullopt);
  EXPECT_THAT(files, ElementsAre("a.yaml", "b.yaml"));
  EXPECT_THAT(words, ElementsAre("demo", "echo"));
}

}  // namespace
}  // namespace fairlead::cli::options_test
