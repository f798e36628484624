#pragma once

#include <cstddef>
#include <fairlead/base/log.hpp>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead {

/// Appends `text` so that it stays on one line and cannot steer a terminal: control characters, line separators,
/// bidirectional overrides and bytes that are not UTF-8 become visible escapes.
void append_escaped(std::string& out, std::string_view text);

enum class LogTime : bool { none, iso };

/// Lines on a file descriptor, stderr unless told otherwise; each line is one write, so lines never interleave.
/// Whoever runs a program on pipes ignores SIGPIPE in `main`. A pipe that nobody empties costs a moment once; then
/// lines are lost, and counted, until there is room again.
class StderrSink final : public LogSink {
 public:
  explicit StderrSink(LogLevel least = LogLevel::info, LogTime time = LogTime::iso, int descriptor = 2);

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

 private:
  bool has_room() const;
  bool put(std::string_view text);

  std::mutex mutex_;
  LogLevel least_;
  LogTime time_;
  int descriptor_;
  bool torn_ = false;  // The last line is not whole.
  std::size_t lost_ = 0;
};

/// Lines appended to a file. Makes the folders it needs, and the file again if somebody moved or removed it. A disk
/// that is full loses lines, counts them, and says so in the file once there is room.
class FileSink final : public LogSink {
 public:
  explicit FileSink(std::filesystem::path path, LogLevel least = LogLevel::info, LogTime time = LogTime::iso);
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  ~FileSink() override;

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

  /// Lines lost since the last one that was written.
  std::size_t lost() const;

 private:
  bool open_if_needed();
  bool append(std::string_view line);
  void close();

  mutable std::mutex mutex_;
  std::filesystem::path path_;
  LogLevel least_;
  LogTime time_;
  int descriptor_ = -1;
  bool torn_ = false;  // The file ends in the middle of a line.
  std::size_t lost_ = 0;
};

/// Every line to both; they outlive the tee.
class TeeSink final : public LogSink {
 public:
  TeeSink(LogSink& first, LogSink& second) : first_(first), second_(second) {}

  bool enabled(LogLevel level) const noexcept override { return first_.enabled(level) || second_.enabled(level); }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

 private:
  LogSink& first_;
  LogSink& second_;
};

/// Lets through what is at least as grave as its level; the sink behind outlives it.
class LevelFilter final : public LogSink {
 public:
  LevelFilter(LogSink& next, LogLevel least) : next_(next), least_(least) {}

  bool enabled(LogLevel level) const noexcept override { return level >= least_ && next_.enabled(level); }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override {
    if (enabled(level)) next_.write(level, component, message);
  }

 private:
  LogSink& next_;
  LogLevel least_;
};

/// Keeps every line, as it was given, for a test to look at.
class CapturingSink final : public LogSink {
 public:
  struct Line {
    LogLevel level;
    std::string component;
    std::string message;

    bool operator==(const Line&) const = default;
  };

  bool enabled(LogLevel) const noexcept override { return true; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

  std::vector<Line> lines() const;
  bool contains(std::string_view text) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Line> lines_;
};

}  // namespace fairlead
