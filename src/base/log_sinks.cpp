#include <fairlead/base/log_sinks.hpp>

#include <algorithm>
#include <poll.h>

#include "base/log_line.hpp"

namespace fairlead {

StderrSink::StderrSink(LogLevel min_level, LogTime time, int descriptor)
    : min_level_(min_level), time_(time), descriptor_(descriptor) {}

void StderrSink::write(LogLevel level, std::string_view component, std::string_view message) noexcept try {
  if (!enabled(level)) return;
  const auto line = log_line(time_, level, component, message);
  // Writes of more than PIPE_BUF bytes are not atomic, hence the mutex.
  const std::lock_guard lock(mutex_);
  if (lost_ > 0 && is_writable()) {
    const auto notice = log_line(time_, LogLevel::warning, "log", std::to_string(lost_) + " lines were dropped here");
    if (write_text(partial_line_ ? "\n" + notice : notice)) lost_ = 0;
  }
  if (lost_ > 0 || !write_text(line)) ++lost_;
} catch (...) {
  // Out of memory: drop the line rather than end the process.
}

// True if PIPE_BUF bytes can be written without blocking. Waits for the reader once, then drops lines without waiting.
bool StderrSink::is_writable() const {
  constexpr int timeout_ms = 1000;
  pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  return descriptor_ < 0 || ::poll(&ready, 1, lost_ == 0 ? timeout_ms : 0) != 0;
}

// False if the pipe is full. A closed pipe counts as success: its lines need not be counted.
bool StderrSink::write_text(std::string_view text) {
  partial_line_ = false;
  while (!text.empty()) {
    if (!is_writable()) return false;
    const auto piece = text.substr(0, PIPE_BUF);
    std::size_t written = 0;
    if (!write_all(descriptor_, piece, &written)) return true;
    text.remove_prefix(piece.size());
    partial_line_ = !text.empty();
  }
  return true;
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
