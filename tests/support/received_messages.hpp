#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

namespace fairlead::test {

/// Collects received messages. Thread-safe.
class ReceivedMessages {
 public:
  void add(std::string what) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(what));
    changed_.notify_all();
  }

  /// Waits for `count` messages or a timeout, and returns all.
  std::vector<std::string> first(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds{60}, [&] { return all_.size() >= count; });
    return all_;
  }

  std::size_t count() {
    const std::lock_guard lock(mutex_);
    return all_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> all_;
};

}  // namespace fairlead::test
