#pragma once

#include <cstddef>
#include <fairlead/base/debug_options.hpp>
#include <mutex>

namespace fairlead::gateway {

/// Writes one JSON object per line to a file descriptor: `time`, `level`, `component` and `message`. Never blocks: if
/// the reader is too slow, lines are dropped, and the next line has their number in `lost`. Thread-safe.
class JsonSink final : public LogSink {
 public:
  JsonSink(LogLevel least, int descriptor) : least_(least), descriptor_(descriptor) {}

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view source, std::string_view message) noexcept override;

 private:
  bool has_room() const;

  std::mutex mutex_;
  LogLevel least_;
  int descriptor_;
  std::size_t lost_ = 0;
};

/// Like `ProgramLog`, with JSON on stderr. The debug file stays text.
class JsonLog final : public LogSink {
 public:
  Redactor& redactor() { return redactor_; }

  explicit JsonLog(const DebugDecision& decision, LogLevel least = LogLevel::info, int descriptor = 2);

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view source, std::string_view message) noexcept override {
    clean_.write(level, source, message);
  }

 private:
  LogLevel least_;
  Redactor redactor_;
  JsonSink json_;
  std::unique_ptr<LogSink> file_;
  TeeSink both_;
  RedactingSink clean_;
};

struct LogAndRedactor {
  std::unique_ptr<LogSink> sink;
  Redactor* redactor;  ///< Owned by `sink`. Add secrets here.
};

/// Creates the program's log, as text or JSON.
LogAndRedactor make_log(const DebugDecision& decision, LogLevel least, bool json);

}  // namespace fairlead::gateway
