#include <fairlead/base/log_sinks.hpp>

#include <algorithm>
#include <climits>
#include <poll.h>
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
  if (lost_ > 0 && has_room()) {
    const auto notice = log_line(time_, LogLevel::warning, "log", std::to_string(lost_) + " lines were lost here");
    if (put(torn_ ? "\n" + notice : notice)) lost_ = 0;
  }
  if (lost_ > 0 || !put(line)) ++lost_;
} catch (...) {
  // Out of memory: a lost line is better than a lost process.
}

// Whether PIPE_BUF bytes go without waiting for whoever reads. They get a moment, but not for every line.
bool StderrSink::has_room() const {
  constexpr int patience_ms = 1000;
  pollfd ready{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  return descriptor_ < 0 || ::poll(&ready, 1, lost_ == 0 ? patience_ms : 0) != 0;
}

// False if there was no room for all of it. One who has hung up is no reason to keep count.
bool StderrSink::put(std::string_view text) {
  torn_ = false;
  while (!text.empty()) {
    if (!has_room()) return false;
    const auto piece = text.substr(0, PIPE_BUF);
    std::size_t written = 0;
    if (!write_all(descriptor_, piece, &written)) return true;
    text.remove_prefix(piece.size());
    torn_ = !text.empty();
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
