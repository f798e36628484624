#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace fairlead {

enum class LogLevel : std::uint8_t { trace, debug, info, warning, error, off };

std::string_view name(LogLevel level);
/// Parses a level name, case-insensitively; accepts "warn" for "warning".
std::optional<LogLevel> log_level(std::string_view name);

/// Destination of log lines. Thread-safe; never throws.
class LogSink {
 public:
  virtual ~LogSink() = default;

  /// Check before formatting a message: most lines are not written.
  virtual bool enabled(LogLevel level) const noexcept = 0;
  /// Writes one line. `message` may hold any bytes; text sinks escape line breaks and control characters.
  virtual void write(LogLevel level, std::string_view component, std::string_view message) noexcept = 0;
};

/// Discards everything.
class NullSink final : public LogSink {
 public:
  bool enabled(LogLevel) const noexcept override { return false; }
  void write(LogLevel, std::string_view, std::string_view) noexcept override {}
};

/// Calls `message` for the text only if the level is enabled.
template <class Message>
void log(LogSink& sink, LogLevel level, std::string_view component, Message&& message) {
  if (sink.enabled(level)) sink.write(level, component, std::forward<Message>(message)());
}

}  // namespace fairlead
