#pragma once

#include <cstdint>
#include <fairlead/base/log.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/redactor.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fairlead {

/// Who had the last word on debugging.
enum class DebugSource : std::uint8_t { nobody, command_line, environment, configuration };

/// Whether to debug, decided once when a program starts.
struct DebugDecision {
  bool on = false;
  std::string file = {};  ///< Where the log goes besides stderr, if anywhere.
  DebugSource source = DebugSource::nobody;

  bool operator==(const DebugDecision&) const = default;
};

/// What each source says, or nothing: `true`, `1`, `yes`, `on`, `false`, `0`, `no`, `off` in any case of letters, or
/// else the file to write to as well.
struct DebugWishes {
  std::optional<std::string> command_line = {};
  std::optional<std::string> environment = {};
  std::optional<std::string> configuration = {};
};

/// The first who says something decides, in the order of the wishes' members. An empty text says nothing.
DebugDecision decide_debug(const DebugWishes& wishes);

/// The environment's wish: `FAIRLEAD_DEBUG`; else `DEBUG` if that is a yes, a no or a path, because other programs have
/// words of their own there.
std::optional<std::string> debug_environment();

/// The log of a program: stderr, a file as well if that was decided, secrets hidden. It keeps the decision for the
/// program's life, and `enabled(LogLevel::debug)` is how everybody asks for it.
class ProgramLog final : public LogSink {
 public:
  explicit ProgramLog(DebugDecision decision, LogLevel least = LogLevel::info, int descriptor = 2);

  bool enabled(LogLevel level) const noexcept override { return level >= least_; }
  void write(LogLevel level, std::string_view component, std::string_view message) noexcept override {
    clean_.write(level, component, message);
  }

  const DebugDecision& decision() const { return decision_; }
  /// To be told what else is a secret.
  Redactor& redactor() { return redactor_; }

 private:
  DebugDecision decision_;
  LogLevel least_;
  Redactor redactor_;
  StderrSink stderr_;
  std::unique_ptr<LogSink> file_;
  TeeSink both_;
  RedactingSink clean_;
};

}  // namespace fairlead
