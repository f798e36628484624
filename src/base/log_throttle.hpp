#pragma once

#include <cstddef>
#include <fairlead/base/clock.hpp>
#include <optional>
#include <string>

namespace fairlead {

/// Rate limit for warnings that a peer can trigger at will: writes a few per period and counts the others. Used on one
/// event loop.
class LogThrottle {
 public:
  static constexpr std::size_t lines = 10;
  static constexpr Duration period = std::chrono::minutes{1};

  /// `clock` must outlive it.
  explicit LogThrottle(const Clock& clock) : clock_(clock) {}

  /// Returns the text to append to a line that may be written now (the count of suppressed lines, or empty), or nothing
  /// if the line is suppressed.
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

  /// The count of lines suppressed since the last written one, as text; empty for none.
  std::string note() {
    const auto count = left_out_;
    left_out_ = 0;
    return count == 0 ? std::string()
                      : " (" + std::to_string(count) + " similar lines before this one were suppressed)";
  }

 private:
  const Clock& clock_;
  TimePoint begun_ = {};
  std::size_t written_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace fairlead
