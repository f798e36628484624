#include <fairlead/base/log_sinks.hpp>

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace fairlead::log_sinks_test {
namespace {

using testing::MatchesRegex;

std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text);
  return out;
}

TEST(LogEscape, KeepsReadableText) {
  EXPECT_EQ(escaped("{\"a\":\"b\\n\"} größer 漢字 😀"), "{\"a\":\"b\\n\"} größer 漢字 😀");
}

TEST(LogEscape, EscapesNewlines) {
  EXPECT_EQ(escaped("a\nerror auth: granted\r\tb"), "a\\nerror auth: granted\\r\\tb");
  EXPECT_EQ(escaped(std::string_view("\0\x7f", 2)), "\\u0000\\u007f");
}

TEST(LogEscape, EscapesTerminalControlCharacters) {
  EXPECT_EQ(escaped("\x1b[2J"), "\\u001b[2J");
  EXPECT_EQ(escaped("\xc2\x9b"), "\\u009b");
  EXPECT_EQ(escaped("\x9b"
                    "2J"),
            "\\x9b2J");
}

TEST(LogEscape, EscapesLineSeparatorsAndBidiOverrides) {
  EXPECT_EQ(escaped("\u2028\u202e\u2066\ufeff"), "\\u2028\\u202e\\u2066\\ufeff");
  EXPECT_EQ(escaped("a\U000e0041\U000e0100\u2060\u00ad\u3164"), "a\\ue0041\\ue0100\\u2060\\u00ad\\u3164");
  EXPECT_EQ(escaped("⚠\ufe0f ✓"), "⚠\ufe0f ✓");
}

TEST(LogEscape, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(escaped("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(escaped("\xe2\x82"), "\\xe2\\x82");
}

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_), 0); }
  ~Pipe() {
    close_writer();
    ::close(ends_[0]);
  }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  /// Reads the available data except for some bytes.
  void skip_to_last(std::size_t rest) {
    int there = 0;
    ASSERT_EQ(::ioctl(ends_[0], FIONREAD, &there), 0);
    std::string taken(static_cast<std::size_t>(there) - rest, '\0');
    ASSERT_EQ(::read(ends_[0], taken.data(), taken.size()), static_cast<ssize_t>(taken.size()));
  }
  std::string read_all() {
    std::string text;
    char buffer[4096];
    for (ssize_t size; (size = ::read(ends_[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(size));
    return text;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(StderrSink, WritesOneEscapedLine) {
  Pipe pipe;
  StderrSink sink{LogLevel::debug, LogTime::none, pipe.writer()};
  sink.write(LogLevel::warning, "http", "bad\nline");
  pipe.close_writer();
  EXPECT_EQ(pipe.read_all(), "warning http: bad\\nline\n");
}

TEST(StderrSink, WritesTheTime) {
  Pipe pipe;
  StderrSink sink{LogLevel::debug, LogTime::iso, pipe.writer()};
  sink.write(LogLevel::info, "http", "hello");
  pipe.close_writer();
  EXPECT_THAT(pipe.read_all(),
              MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z info http: hello\n"));
}

TEST(StderrSink, IsSilentBelowItsLevel) {
  Pipe pipe;
  StderrSink sink{LogLevel::warning, LogTime::none, pipe.writer()};
  EXPECT_FALSE(sink.enabled(LogLevel::info));
  sink.write(LogLevel::info, "http", "hello");
  pipe.close_writer();
  EXPECT_EQ(pipe.read_all(), "");
}

TEST(StderrSink, GoesToStderrAndNeverToStdout_S0_28) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  StderrSink sink{LogLevel::debug, LogTime::none};
  sink.write(LogLevel::debug, "stdio", "recv method=ping");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "debug stdio: recv method=ping\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(StderrSink, DoesNotInterleaveLinesOfEightThreads) {
  constexpr int threads = 8, lines = 200;
  Pipe pipe;
  StderrSink sink{LogLevel::debug, LogTime::none, pipe.writer()};
  std::string text;
  std::thread reader([&] { text = pipe.read_all(); });
  {
    std::vector<std::jthread> writers;
    for (int t = 0; t < threads; ++t) {
      // Longer than PIPE_BUF, so that the kernel does not write them atomically.
      writers.emplace_back([&sink, t] {
        const std::string message(5000, static_cast<char>('a' + t));
        for (int i = 0; i < lines; ++i) sink.write(LogLevel::info, "t", message);
      });
    }
  }
  pipe.close_writer();
  reader.join();
  std::map<std::string, int> seen;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) ++seen[line];
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(threads));
  for (const auto& [line, count] : seen) EXPECT_EQ(count, lines) << line.substr(0, 40);
}

TEST(StderrSink, DropsLinesIfThePipeIsFull) {
  Pipe pipe;
  StderrSink sink{LogLevel::debug, LogTime::none, pipe.writer()};
  const std::string message(10'000, 'x');
  for (int i = 0; i < 100; ++i) sink.write(LogLevel::info, "t", message);
  pipe.skip_to_last(10);
  sink.write(LogLevel::info, "t", "again");
  pipe.close_writer();
  const auto rest = pipe.read_all();
  EXPECT_THAT(rest, testing::ContainsRegex("x\nwarning log: [0-9]+ lines were dropped here\ninfo t: again\n"));
}

TEST(StderrSink, SurvivesAClosedDescriptor) {
  StderrSink sink{LogLevel::debug, LogTime::none, -1};
  sink.write(LogLevel::info, "t", "not written");
}

class FileSinkTest : public testing::Test {
 protected:
  FileSinkTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / ("fairlead_" + std::to_string(::getpid()) + test->name());
    std::filesystem::remove_all(folder_);
  }
  ~FileSinkTest() override { std::filesystem::remove_all(folder_); }

  std::string content() const {
    std::ifstream file(path());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path path() const { return folder_ / "deep" / "log.txt"; }

  std::filesystem::path folder_;
};

TEST_F(FileSinkTest, CreatesDirectoriesAndAppends) {
  FileSink(path(), LogLevel::info, LogTime::none).write(LogLevel::info, "a", "one");
  FileSink(path(), LogLevel::info, LogTime::none).write(LogLevel::info, "a", "two");
  EXPECT_EQ(content(), "info a: one\ninfo a: two\n");
}

TEST_F(FileSinkTest, IsReadableByTheOwnerOnly) {
  FileSink(path(), LogLevel::info).write(LogLevel::info, "a", "one");
  const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
  EXPECT_EQ(std::filesystem::status(path()).permissions() & others, std::filesystem::perms::none);
}

TEST_F(FileSinkTest, RecreatesARemovedFile) {
  FileSink sink(path(), LogLevel::info, LogTime::none);
  sink.write(LogLevel::info, "a", "one");
  std::filesystem::remove_all(folder_);
  sink.write(LogLevel::info, "a", "two");
  EXPECT_EQ(content(), "info a: two\n");
}

TEST_F(FileSinkTest, FollowsARotatedFile) {
  FileSink sink(path(), LogLevel::info, LogTime::none);
  sink.write(LogLevel::info, "a", "one");
  std::filesystem::rename(path(), folder_ / "old.txt");
  sink.write(LogLevel::info, "a", "two");
  EXPECT_EQ(content(), "info a: two\n");
}

TEST_F(FileSinkTest, SurvivesAFullDisk) {
  FileSink sink("/dev/full", LogLevel::info, LogTime::none);
  sink.write(LogLevel::info, "a", "one");
  sink.write(LogLevel::info, "a", "two");
  EXPECT_EQ(sink.lost(), 2u);
}

TEST_F(FileSinkTest, WritesTheNumberOfDroppedLines) {
  std::filesystem::create_directories(path().parent_path());
  std::filesystem::create_symlink("/dev/full", path());
  FileSink sink(path(), LogLevel::info, LogTime::none);
  sink.write(LogLevel::info, "a", "one");
  sink.write(LogLevel::info, "a", "two");
  std::filesystem::remove(path());
  sink.write(LogLevel::info, "a", "three");
  EXPECT_EQ(content(), "warning log: 2 lines were dropped here\ninfo a: three\n");
  EXPECT_EQ(sink.lost(), 0u);
}

TEST_F(FileSinkTest, SurvivesAnImpossiblePath) {
  FileSink sink("/dev/null/log.txt", LogLevel::info, LogTime::none);
  sink.write(LogLevel::info, "a", "one");
  EXPECT_EQ(sink.lost(), 1u);
}

TEST(TeeSink, WritesToBothByTheirLevels) {
  CapturingSink all, grave;
  LevelFilter filter(grave, LogLevel::error);
  TeeSink tee(all, filter);
  EXPECT_TRUE(tee.enabled(LogLevel::debug));
  tee.write(LogLevel::debug, "t", "small");
  tee.write(LogLevel::error, "t", "big");
  EXPECT_EQ(all.lines().size(), 2u);
  EXPECT_EQ(grave.lines().size(), 1u);
}

TEST(LevelFilter, ForwardsLinesFromItsLevelOn) {
  CapturingSink sink;
  LevelFilter filter(sink, LogLevel::warning);
  EXPECT_FALSE(filter.enabled(LogLevel::info));
  filter.write(LogLevel::info, "t", "small");
  filter.write(LogLevel::warning, "t", "big");
  EXPECT_EQ(sink.lines().size(), 1u);
  EXPECT_TRUE(sink.contains("big"));
}

}  // namespace
}  // namespace fairlead::log_sinks_test
