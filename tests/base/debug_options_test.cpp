#include <fairlead/base/debug_options.hpp>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>

namespace fairlead::debug_options_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Sets an environment variable and restores it on destruction.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

struct TemporaryFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("debug_switch." + std::to_string(::getpid()));
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(DebugOptions_S0_26, TheCommandLineOverridesEnvironmentAndConfiguration) {
  const auto decision = decide_debug({.command_line = "off", .environment = "1", .configuration = "true"});
  EXPECT_EQ(decision, (DebugDecision{.on = false, .source = DebugSource::command_line}));
}

TEST(DebugOptions_S0_26, TheEnvironmentOverridesTheConfiguration) {
  const auto decision = decide_debug({.environment = "1", .configuration = "false"});
  EXPECT_EQ(decision, (DebugDecision{.on = true, .source = DebugSource::environment}));
}

TEST(DebugOptions_S0_26, UsesTheConfigurationIfNothingElseIsSet) {
  const auto decision = decide_debug({.configuration = "true"});
  EXPECT_EQ(decision, (DebugDecision{.on = true, .source = DebugSource::configuration}));
}

TEST(DebugOptions_S0_26, IsOffByDefault) {
  EXPECT_EQ(decide_debug({}), DebugDecision{});
  EXPECT_EQ(decide_debug({.command_line = "", .environment = ""}), DebugDecision{});
}

TEST(DebugOptions, AcceptsBooleansInAnyCase) {
  for (const auto* word : {"true", "1", "yes", "on", "TRUE", "Yes"}) {
    const auto decision = decide_debug({.environment = word});
    EXPECT_TRUE(decision.on && decision.file.empty()) << word;
  }
  for (const auto* word : {"false", "0", "no", "off", "OFF"}) {
    EXPECT_FALSE(decide_debug({.environment = word}).on) << word;
  }
}

TEST(DebugOptions, TreatsOtherValuesAsALogFile) {
  const auto decision = decide_debug({.command_line = "logs/debug.log"});
  EXPECT_TRUE(decision.on);
  EXPECT_EQ(decision.file, "logs/debug.log");
}

TEST(DebugEnvironment, PrefersFairleadDebug) {
  const Variable own("FAIRLEAD_DEBUG", "no");
  const Variable common("DEBUG", "1");
  EXPECT_EQ(debug_environment(), "no");
}

TEST(DebugEnvironment, UsesDebugOnlyForBooleansAndPaths) {
  const Variable own("FAIRLEAD_DEBUG", "");
  for (const auto* word : {"1", "true", "off", "./debug.log"}) {
    const Variable common("DEBUG", word);
    EXPECT_EQ(debug_environment(), word);
  }
  for (const auto* word : {"*", "express:*", "app,-http", ""}) {
    const Variable common("DEBUG", word);
    EXPECT_EQ(debug_environment(), std::nullopt) << word;
  }
}

TEST(ProgramLog_S0_27, KeepsTheDecisionOfTheStart) {
  ProgramLog log(decide_debug({.environment = "0"}));
  const Variable later("FAIRLEAD_DEBUG", "1");
  EXPECT_FALSE(log.enabled(LogLevel::debug));
  EXPECT_TRUE(log.enabled(LogLevel::info));
}

TEST(ProgramLog_S0_27, EnabledReflectsTheDecision) {
  for (const auto* setting : {"on", "off"}) {
    const ProgramLog log(decide_debug({.command_line = setting}));
    EXPECT_EQ(log.enabled(LogLevel::debug), log.decision().on);
  }
  // A low minimum level does not enable debug logging either.
  EXPECT_FALSE(ProgramLog({}, LogLevel::trace).enabled(LogLevel::debug));
}

TEST(ProgramLog, WritesEveryLineToFileAndStderr) {
  const TemporaryFolder folder;
  const auto file = folder.path / "deep" / "debug.log";
  ProgramLog log(decide_debug({.command_line = file.string()}), LogLevel::info,
                 ::open("/dev/null", O_WRONLY | O_CLOEXEC));
  log.write(LogLevel::debug, "stdio", "recv method=ping");
  log.write(LogLevel::trace, "stdio", "too much");
  EXPECT_THAT(contents(file), HasSubstr("debug stdio: recv method=ping"));
  EXPECT_THAT(contents(file), Not(HasSubstr("too much")));
}

TEST(ProgramLog, RedactsSecretsInEveryLine_S1_51) {
  const TemporaryFolder folder;
  const auto file = folder.path / "debug.log";
  ProgramLog log(decide_debug({.command_line = file.string()}), LogLevel::info,
                 ::open("/dev/null", O_WRONLY | O_CLOEXEC));
  log.redactor().add_secret("opensesame");
  log.write(LogLevel::debug, "stdio", R"(send json={"password":"hunter2","text":"say opensesame"})");
  EXPECT_THAT(contents(file), Not(HasSubstr("hunter2")));
  EXPECT_THAT(contents(file), Not(HasSubstr("opensesame")));
  EXPECT_THAT(contents(file), HasSubstr(R"("password":"[redacted]")"));
}

}  // namespace
}  // namespace fairlead::debug_options_test
