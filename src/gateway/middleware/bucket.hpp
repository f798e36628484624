#pragma once

#include <algorithm>
#include <cstddef>
#include <fairlead/base/clock.hpp>

namespace fairlead::gateway {

/// Fills by `rate` tokens a second up to `burst`; each call takes one.
class Bucket {
 public:
  Bucket(double rate, std::size_t burst, TimePoint now)
      : rate_(rate), burst_(static_cast<double>(burst)), tokens_(burst_), then_(now) {}

  /// Zero if a token was there; else how long until one is.
  Duration take(TimePoint now) {
    fill(now);
    if (tokens_ >= 1) {
      tokens_ -= 1;
      return {};
    }
    const std::chrono::duration<double> missing((1 - tokens_) / rate_);
    return std::max(std::chrono::ceil<Duration>(missing), Duration{1});
  }

  /// Then it tells nothing of the past.
  bool is_full(TimePoint now) {
    fill(now);
    return tokens_ >= burst_;
  }

 private:
  void fill(TimePoint now) {
    const std::chrono::duration<double> passed = now - then_;
    tokens_ = std::min(burst_, tokens_ + passed.count() * rate_);
    then_ = now;
  }

  double rate_;
  double burst_;
  double tokens_;
  TimePoint then_;
};

}  // namespace fairlead::gateway
