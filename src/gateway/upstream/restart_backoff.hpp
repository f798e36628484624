#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <optional>
#include <string>

namespace fairlead::gateway {

struct RestartBackoffOptions {
  Duration initial_delay =
      std::chrono::milliseconds{250};  ///< Before the second retry; doubled by each further failure.
  Duration max_delay = std::chrono::seconds{30};
  std::size_t give_up_after = 0;                     ///< Consecutive failures; 0 for never.
  Duration stable_after = std::chrono::seconds{10};  ///< A server that ran this long is restarted without delay.
};

/// Computes the delay before a failing server is started again.
class RestartBackoff {
 public:
  RestartBackoff(RestartBackoffOptions options, const Clock& clock) : options_(options), clock_(clock) {}

  void started() { started_ = clock_.now(); }

  /// The server could not be reached, or has exited unexpectedly.
  void failed(std::string why) {
    const auto now = clock_.now();
    if (started_ && now - *started_ >= options_.stable_after) consecutive_failures_ = 0;
    started_.reset();
    ++consecutive_failures_;
    ++total_failures_;
    last_error_ = std::move(why);
    next_ = now + next_delay();
  }

  /// The remaining delay before the next start; zero for none.
  Duration delay() const {
    const auto now = clock_.now();
    return consecutive_failures_ == 0 || now >= next_ ? Duration{} : next_ - now;
  }

  /// True after `give_up_after` failures, until reset().
  bool given_up() const { return options_.give_up_after != 0 && consecutive_failures_ >= options_.give_up_after; }
  void reset() { consecutive_failures_ = 0; }

  std::size_t consecutive_failures() const { return consecutive_failures_; }
  std::size_t total_failures() const { return total_failures_; }
  const std::string& last_error() const { return last_error_; }

 private:
  // No delay after the first failure.
  Duration next_delay() const {
    if (consecutive_failures_ < 2) return {};
    auto delay = options_.initial_delay;
    for (std::size_t i = 2; i < consecutive_failures_ && delay < options_.max_delay; ++i) delay *= 2;
    return delay < options_.max_delay ? delay : options_.max_delay;
  }

  RestartBackoffOptions options_;
  const Clock& clock_;
  std::optional<TimePoint> started_;
  TimePoint next_ = {};
  std::size_t consecutive_failures_ = 0;
  std::size_t total_failures_ = 0;
  std::string last_error_;
};

}  // namespace fairlead::gateway
