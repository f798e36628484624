#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace fairlead {

enum class LogLevel : std::uint8_t { trace, debug, info, warning, error, off };

std::string_view name(LogLevel level);
/// The level of that name, in any case of letters; "warn" is understood too.
std::optional<LogLevel> log_level(std::string_view name);

/// Where log lines go. Safe to call from any thread; never throws, because a log must not break what it describes.
class LogSink {
 public:
  virtual ~LogSink() = default;

  /// Ask before formatting: most lines are never written.
  virtual bool enabled(LogLevel level) const noexcept = 0;
  /// One line. `message` may hold any bytes; sinks for people escape what could forge a line of its own.
  virtual void write(LogLevel level, std::string_view component, std::string_view message) noexcept = 0;
};

/// For those who do not want to know.
class NullSink final : public LogSink {
 public:
  bool enabled(LogLevel) const noexcept override { return false; }
  void write(LogLevel, std::string_view, std::string_view) noexcept override {}
};

/// Calls `message` for the text only if somebody will read it.
template <class Message>
void log(LogSink& sink, LogLevel level, std::string_view component, Message&& message) {
  if (sink.enabled(level)) sink.write(level, component, std::forward<Message>(message)());
}

}  // namespace fairlead
