#pragma once

#include <cstddef>
#include <fairlead/base/debug_switch.hpp>
#include <memory>
#include <mutex>

namespace fairlead::cli {

/// One JSON object a line on a file descriptor: `time`, `level`, `component` and `message`. Never waits for whoever
/// reads: lines that there is no room for are lost, and the next one says how many.
class JsonSink final : public LogSink {
 public:
  JsonSink(LogLevel least, int descriptor) : least_(least), descriptor_(descriptor) {}

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override;

 private:
  bool has_room() const;

  std::mutex mutex_;
  LogLevel least_;
  int descriptor_;
  std::size_t lost_ = 0;
};

/// As `ProgramLog`, in JSON on stderr; a file that debugging asks for stays text.
class JsonLog final : public LogSink {
 public:
  Redactor& redactor() { return redactor_; }

  explicit JsonLog(const DebugDecision& decision, LogLevel least = LogLevel::info, int descriptor = 2);

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override {
    clean_.write(level, component, message);
  }

 private:
  LogLevel least_;
  Redactor redactor_;
  JsonSink json_;
  std::unique_ptr<LogSink> file_;
  TeeSink both_;
  RedactingSink clean_;
};

struct MadeLog {
  std::unique_ptr<LogSink> sink;
  Redactor* redactor;  ///< The sink's own, to be told what else is a secret.
};

/// The log of a program, in the form that is asked for.
MadeLog make_log(const DebugDecision& decision, LogLevel least, bool json);

}  // namespace fairlead::cli
