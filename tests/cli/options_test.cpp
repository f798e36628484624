#include "cli/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::cli::options_test {
namespace {

using testing::ElementsAre;

TEST(Options, RepeatableOptionTakesOneValueEachTime) {
  Options options("explain", "tells");
  std::vector<std::string> files, words;
  options.repeatable("-c", files, "which file", "<file>");
  options.positionals("words", words, "the others");
  EXPECT_EQ(options.parse({"-c", "a.yaml", "demo", "-c", "b.yaml", "echo"}), std::nullopt);
  EXPECT_THAT(files, ElementsAre("a.yaml", "b.yaml"));
  EXPECT_THAT(words, ElementsAre("demo", "echo"));
}

TEST(Options, Finding_C3_LayoutSeparatesPositionalsFromOptionValues) {
  Options options("list", "lists");
  std::vector<std::string> files;
  std::string timeout, debug;
  bool json = false;
  options.repeatable("-c,--config", files, "which file", "<file>");
  options.text("--timeout", timeout, "how long", "<duration>");
  options.optional_value("--debug", debug, "log");
  options.flag("--json", json, "as JSON");
  const std::vector<std::string> line{"--timeout", "3s",  "memory",     "-c",      "a",    "--json",
                                      "tools",     "-cb", "--config=c", "--debug", "last", "--unknown"};
  const auto layout = options.layout(line, "--config");
  EXPECT_THAT(layout.positionals, ElementsAre(2, 6, 10));
  EXPECT_THAT(layout.values, ElementsAre("a", "b", "c"));
  EXPECT_FALSE(layout.wants_help);
  EXPECT_TRUE(options.layout({"x", "--help"}, "--config").wants_help);
}

}  // namespace
}  // namespace fairlead::cli::options_test
