#include <fairlead/base/log.hpp>

#include <fairlead/base/log_sinks.hpp>
#include <gtest/gtest.h>
#include <string>

namespace fairlead::log_test {
namespace {

TEST(Log, LevelsHaveNames) {
  EXPECT_EQ(name(LogLevel::warning), "warning");
  EXPECT_EQ(log_level("WARN"), LogLevel::warning);
  EXPECT_EQ(log_level("Debug"), LogLevel::debug);
  EXPECT_EQ(log_level("off"), LogLevel::off);
  EXPECT_EQ(log_level("loud"), std::nullopt);
}

TEST(Log, FormatsEnabledLevelsOnly) {
  NullSink disabled;
  CapturingSink sink;
  int formatted = 0;
  const auto message = [&] {
    ++formatted;
    return std::string("hello");
  };
  log(disabled, LogLevel::error, "test", message);
  EXPECT_EQ(formatted, 0);
  log(sink, LogLevel::debug, "test", message);
  EXPECT_EQ(sink.lines().at(0), (CapturingSink::Line{LogLevel::debug, "test", "hello"}));
}

}  // namespace
}  // namespace fairlead::log_test
