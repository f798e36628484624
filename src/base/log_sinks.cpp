#include <fairlead/base/log_sinks.hpp>

#include <algorithm>
#include <utility>

#include "base/log_line.hpp"

namespace fairlead {

StderrSink::StderrSink(LogLevel least, LogTime time, int descriptor)
    : least_(least), time_(time), descriptor_(descriptor) {}

void StderrSink::write(LogLevel level, std::string_view component, std::string_view message) noexcept try {
  if (!enabled(level)) return;
  const auto line = log_line(time_, level, component, message);
  // Writes of more than PIPE_BUF bytes are not atomic, so we also take turns.
  const std::lock_guard lock(mutex_);
  std::size_t written = 0;
  write_all(descriptor_, line, &written);
} catch (...) {
  // Out of memory: a lost line is better than a lost process.
}

void TeeSink::write(LogLevel level, std::string_view component, std::string_view message) noexcept {
  if (first_.enabled(level)) first_.write(level, component, message);
  if (second_.enabled(level)) second_.write(level, component, message);
}

void CapturingSink::write(LogLevel level, std::string_view component, std::string_view message) noexcept try {
  const std::lock_guard lock(mutex_);
  lines_.push_back({level, std::string(component), std::string(message)});
} catch (...) {
  // As above.
}

std::vector<CapturingSink::Line> CapturingSink::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

bool CapturingSink::contains(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(lines_, [&](const Line& line) { return line.message.find(text) != std::string::npos; });
}

}  // namespace fairlead
