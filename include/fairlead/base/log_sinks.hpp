#pragma once

#include <cstddef>
#include <fairlead/base/log.hpp>
#include <fairlead/base/non_copyable.hpp>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace fairlead {

/// Appends `text` on one line without terminal control: control characters, line separators, bidirectional overrides
/// and bytes that are not UTF-8 become visible escapes.
void append_escaped(std::string& out, std::string_view text);

enum class LogTime : bool { none, iso };

/// Writes lines to a file descriptor, by default stderr. Each line is one write(), so lines do not interleave.
/// A program that logs to a pipe ignores SIGPIPE in `main`. If the pipe is full, the sink waits up to one second once,
/// then drops and counts lines until the pipe is writable again.
class StderrSink final : public LogSink {
 public:
  explicit StderrSink(LogLevel min_level = LogLevel::info, LogTime time = LogTime::iso, int descriptor = 2);

  bool enabled(LogLevel level) const noexcept override { return level >= min_level_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

 private:
  bool is_writable() const;
  bool write_text(std::string_view text);

  std::mutex mutex_;
  LogLevel min_level_;
  LogTime time_;
  int descriptor_;
  bool partial_line_ = false;  // The last line was written only in part.
  std::size_t lost_ = 0;
};

/// Appends lines to a file. Creates missing directories, and reopens the file if it was moved or removed. When the
/// disk is full, lines are dropped and counted; the count is written to the file once there is space again.
class FileSink final : public LogSink, NonCopyable {
 public:
  explicit FileSink(std::filesystem::path path, LogLevel min_level = LogLevel::info, LogTime time = LogTime::iso);
  ~FileSink() override;

  bool enabled(LogLevel level) const noexcept override { return level >= min_level_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

  /// Lines dropped since the last line that was written.
  std::size_t lost() const;

 private:
  bool open_if_needed();
  bool append(std::string_view line);
  void close();

  mutable std::mutex mutex_;
  std::filesystem::path path_;
  LogLevel min_level_;
  LogTime time_;
  int descriptor_ = -1;
  bool partial_line_ = false;  // The file ends in the middle of a line.
  std::size_t lost_ = 0;
};

/// Writes every line to both sinks, which must outlive it.
class TeeSink final : public LogSink {
 public:
  TeeSink(LogSink& first, LogSink& second) : first_(first), second_(second) {}

  bool enabled(LogLevel level) const noexcept override { return first_.enabled(level) || second_.enabled(level); }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

 private:
  LogSink& first_;
  LogSink& second_;
};

/// Forwards lines of at least `min_level` to `next`, which must outlive it.
class LevelFilter final : public LogSink {
 public:
  LevelFilter(LogSink& next, LogLevel min_level) : next_(next), min_level_(min_level) {}

  bool enabled(LogLevel level) const noexcept override { return level >= min_level_ && next_.enabled(level); }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override {
    if (enabled(level)) next_.write(level, component, message);
  }

 private:
  LogSink& next_;
  LogLevel min_level_;
};

/// Stores every line unchanged, for tests. Thread-safe.
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
