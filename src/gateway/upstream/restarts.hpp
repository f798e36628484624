#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <optional>
#include <string>

namespace fairlead::gateway {

struct RestartOptions {
  Duration first = std::chrono::milliseconds{250};  ///< Before the second try; each further one waits twice as long.
  Duration most = std::chrono::seconds{30};
  std::size_t give_up_after = 0;               ///< Failures in a row; 0 never.
  Duration steady = std::chrono::seconds{10};  ///< Whoever has run that long gets its next start at once again.
};

/// When a server that keeps failing may be started again.
class Restarts {
 public:
  Restarts(RestartOptions options, const Clock& clock) : options_(options), clock_(clock) {}

  void started() { started_ = clock_.now(); }

  /// It could not be reached, or has gone without being told to.
  void failed(std::string why) {
    const auto now = clock_.now();
    if (started_ && now - *started_ >= options_.steady) in_a_row_ = 0;
    started_.reset();
    ++in_a_row_;
    ++total_;
    last_error_ = std::move(why);
    next_ = now + pause();
  }

  /// How long to wait before the next start; zero for not at all.
  Duration delay() const {
    const auto now = clock_.now();
    return in_a_row_ == 0 || now >= next_ ? Duration{} : next_ - now;
  }

  /// No start any more, until somebody has looked after it.
  bool given_up() const { return options_.give_up_after != 0 && in_a_row_ >= options_.give_up_after; }
  void forgive() { in_a_row_ = 0; }

  std::size_t in_a_row() const { return in_a_row_; }
  std::size_t total() const { return total_; }
  const std::string& last_error() const { return last_error_; }

 private:
  // A first failure may be bad luck, and costs nothing.
  Duration pause() const {
    if (in_a_row_ < 2) return {};
    auto pause = options_.first;
    for (std::size_t i = 2; i < in_a_row_ && pause < options_.most; ++i) pause *= 2;
    return pause < options_.most ? pause : options_.most;
  }

  RestartOptions options_;
  const Clock& clock_;
  std::optional<TimePoint> started_;
  TimePoint next_ = {};
  std::size_t in_a_row_ = 0;
  std::size_t total_ = 0;
  std::string last_error_;
};

}  // namespace fairlead::gateway
