#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fairlead/base/lru_cache.hpp>
#include <mutex>
#include <string>
#include <string_view>

namespace fairlead::auth {

/// Limits the invalid tokens that one address can have checked per second, because a signature takes up to 130 µs of
/// the CPU. Tokens that were checked before are not affected. Thread-safe.
class FailureLimit {
 public:
  using Time = std::chrono::system_clock::time_point;
  static constexpr std::size_t per_second = 200;

  /// `peer` is an address with a port.
  bool exceeded(std::string_view peer, Time now) {
    const std::scoped_lock lock(mutex_);
    const auto* window = windows_.peek(address_of(peer));
    return window != nullptr && window->second == second_of(now) && window->failures >= per_second;
  }
  void add(std::string_view peer, Time now) {
    const std::scoped_lock lock(mutex_);
    const auto address = address_of(peer);
    auto* window = windows_.find(address);
    if (window == nullptr) window = windows_.put(address, Window());
    if (window->second != second_of(now)) *window = {.second = second_of(now)};
    ++window->failures;
  }

 private:
  struct Window {
    std::int64_t second = 0;
    std::size_t failures = 0;
  };
  static constexpr std::size_t max_addresses = 4'096;

  static std::string address_of(std::string_view peer) { return std::string(peer.substr(0, peer.rfind(':'))); }
  static std::int64_t second_of(Time now) { return now.time_since_epoch() / std::chrono::seconds{1}; }

  std::mutex mutex_;
  LruCache<std::string, Window, HashIndex> windows_{LruLimits{.entries = max_addresses}};
};

}  // namespace fairlead::auth
