#include "gateway/app/json_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace fairlead::gateway::json_log_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

struct JsonLog : testing::Test {
  JsonLog() { EXPECT_EQ(::pipe(ends), 0); }
  ~JsonLog() override {
    ::close(ends[0]);
    ::close(ends[1]);
  }

  std::string written() const {
    std::array<char, 4096> bytes{};
    const auto count = ::read(ends[0], bytes.data(), bytes.size());
    return {bytes.data(), static_cast<std::size_t>(count)};
  }

  int ends[2] = {-1, -1};
};

TEST_F(JsonLog, WritesAnObjectForEachLine) {
  JsonSink(LogLevel::info, ends[1]).write(LogLevel::warning, "http", "two\nlines");
  EXPECT_THAT(written(), EndsWith(R"(,"level":"warning","component":"http","message":"two\nlines"})"
                                  "\n"));
}

TEST_F(JsonLog, IsRedactedAsALogOfText) {
  ProgramLog log({}, LogLevel::info, std::make_unique<JsonSink>(LogLevel::info, ends[1]));
  log.redactor().add_secret("opensesame");
  log.write(LogLevel::debug, "http", "not written");
  log.write(LogLevel::info, "http", "key opensesame");
  EXPECT_THAT(written(),
              AllOf(HasSubstr("key [redacted]"), Not(HasSubstr("opensesame")), Not(HasSubstr("not written"))));
}

}  // namespace
}  // namespace fairlead::gateway::json_log_test
