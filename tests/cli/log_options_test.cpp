#include "cli/log_options.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace fairlead::cli::log_options_test {
namespace {

/// A temporary file, and an environment without debug variables.
class LogOptionsTest : public testing::Test {
 protected:
  LogOptionsTest() {
    ::unsetenv("FAIRLEAD_DEBUG");
    ::unsetenv("DEBUG");
  }
  ~LogOptionsTest() override {
    ::unsetenv("FAIRLEAD_DEBUG");
    std::filesystem::remove(path_);
  }

  Result<DebugDecision> decide_with(const std::string& yaml, std::string debug = "") {
    std::ofstream(path_) << yaml;
    return resolve_debug({.debug = std::move(debug), .config = path_});
  }

  std::string path_ = std::filesystem::temp_directory_path() / ("log_options." + std::to_string(::getpid()) + ".yaml");
};

TEST_F(LogOptionsTest, S0_26_YamlHasTheLowestPrecedence) {
  EXPECT_EQ(decide_with("debug: true\n"), (DebugDecision{.on = true, .source = DebugSource::configuration}));
  ::setenv("FAIRLEAD_DEBUG", "off", 1);
  EXPECT_EQ(decide_with("debug: true\n"), (DebugDecision{.on = false, .source = DebugSource::environment}));
  EXPECT_EQ(decide_with("debug: false\n", "true"), (DebugDecision{.on = true, .source = DebugSource::command_line}));
}

TEST_F(LogOptionsTest, ReadsTheLogFileFromTheConfiguration) {
  EXPECT_EQ(decide_with("debug: logs/debug.log\n")->file, "logs/debug.log");
  EXPECT_EQ(decide_with("server:\n  debug: true\n  debug_file: other.log\n")->file, "other.log");
}

TEST_F(LogOptionsTest, ReadsDebugUnderServer) {
  EXPECT_TRUE(decide_with("server: {debug: yes, debug_file: null}\n")->on);
  EXPECT_FALSE(decide_with("server: {debug: false, debug_file: x.log}\n")->on);
  EXPECT_FALSE(decide_with("server: {debug_file: x.log}\n")->on);
}

TEST_F(LogOptionsTest, KeepsDefaultsIfTheFileDoesNotMentionDebug) {
  for (const auto* yaml : {"", "other: 1\n", "- a\n", "text\n", "debug: {deep: true}\n"}) {
    EXPECT_EQ(decide_with(yaml), DebugDecision{}) << yaml;
  }
}

TEST_F(LogOptionsTest, FailsOnAnUnreadableFile) {
  EXPECT_FALSE(resolve_debug({.config = path_ + ".missing"}));
  const auto broken = decide_with("debug: [\n");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find(path_), std::string::npos);
}

}  // namespace
}  // namespace fairlead::cli::log_options_test
