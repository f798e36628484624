#pragma once

#include <algorithm>
#include <cstddef>
#include <fairlead/base/clock.hpp>

namespace fairlead::gateway {

/// Gets `rate` tokens per second up to `burst`; each call takes one.
class TokenBucket {
 public:
  TokenBucket(double rate, std::size_t burst, TimePoint now)
      : rate_(rate), burst_(static_cast<double>(burst)), tokens_(burst_), then_(now) {}

  /// Takes a token and returns zero, or returns the time until the next token.
  Duration take(TimePoint now) {
    fill(now);
    if (tokens_ >= 1) {
      tokens_ -= 1;
      return {};
    }
    const std::chrono::duration<double> missing((1 - tokens_) / rate_);
    return std::max(std::chrono::ceil<Duration>(missing), Duration{1});
  }

  /// A full bucket has no state worth keeping.
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
