#pragma once

#include <fairlead/base/log.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/redactor.hpp>

namespace fairlead {

/// The source of the debug setting that took effect.
enum class DebugSource : std::uint8_t { none, command_line, environment, configuration };

/// Whether debug logging is on. Decided once when a program starts.
struct DebugDecision {
  bool on = false;
  std::string file = {};  ///< Log file in addition to stderr; empty for none.
  DebugSource source = DebugSource::none;

  bool operator==(const DebugDecision&) const = default;
};

/// The debug setting of each source, if it has one: `true`, `1`, `yes`, `on`, `false`, `0`, `no`, `off` in any case of
/// letters; any other text is the path of a log file.
struct DebugSettings {
  std::optional<std::string> command_line = {};
  std::optional<std::string> environment = {};
  std::optional<std::string> configuration = {};
};

/// Uses the first source that has a setting, in the order of the members. An empty text counts as not set.
DebugDecision decide_debug(const DebugSettings& settings);

/// Returns `FAIRLEAD_DEBUG`, or else `DEBUG` if its value is a boolean or a path: other programs put their own values
/// there.
std::optional<std::string> debug_environment();

/// The log of a program: writes redacted lines to stderr and, if configured, to a file. Use `enabled(LogLevel::debug)`
/// to find out whether debug logging is on.
class ProgramLog final : public LogSink {
 public:
  explicit ProgramLog(DebugDecision decision, LogLevel min_level = LogLevel::info, int descriptor = 2);
  /// Writes lines of at least `level` to `output` in place of stderr.
  ProgramLog(DebugDecision decision, LogLevel level, std::unique_ptr<LogSink> output);

  bool enabled(LogLevel level) const noexcept override { return level >= level_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override {
    clean_.write(level, component, message);
  }

  const DebugDecision& decision() const { return decision_; }
  /// Add further secrets here.
  Redactor& redactor() { return redactor_; }

 private:
  DebugDecision decision_;
  LogLevel level_;
  Redactor redactor_;
  std::unique_ptr<LogSink> output_;
  std::unique_ptr<LogSink> file_;
  TeeSink both_;
  RedactingSink clean_;
};

}  // namespace fairlead
