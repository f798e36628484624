#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <optional>
#include <string>

namespace fairlead {

/// Keeps warnings that a peer can cause as often as it likes from filling the log: a few in each period are written,
/// the others are counted. Used on one loop.
class LogThrottle {
 public:
  static constexpr std::size_t lines = 10;
  static constexpr Duration period = std::chrono::minutes{1};

  /// `clock` outlives it.
  explicit LogThrottle(const Clock& clock) : clock_(clock) {}

  /// What to append to a line that may be written now, for those that were left out before it; nothing if it may not.
  std::optional<std::string> admit() {
    const auto now = clock_.now();
    if (now - begun_ >= period) {
      begun_ = now;
      written_ = 0;
    }
    if (written_ >= lines) {
      ++left_out_;
      return std::nullopt;
    }
    ++written_;
    return note();
  }

  /// How many were left out since the last line, for the end of it all; empty for none.
  std::string note() {
    const auto count = left_out_;
    left_out_ = 0;
    return count == 0 ? std::string() : " (" + std::to_string(count) + " like it before this were left out)";
  }

 private:
  const Clock& clock_;
  TimePoint begun_ = {};
  std::size_t written_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace fairlead
