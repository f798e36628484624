#pragma once

#include <algorithm>
#include <cstddef>

namespace fairlead {

/// Limits how many bytes a reader takes from one peer in one turn of the event loop. Once it is spent, the reader
/// yields to the loop, so that other peers, timers and signals are served; then it is renewed.
class ReadBudget {
 public:
  static constexpr std::size_t bytes_per_turn = std::size_t{64} * 1024;
  /// Minimum charge for a read, because each one is a system call.
  static constexpr std::size_t least_per_read = std::size_t{4} * 1024;

  void spend(std::size_t bytes) { spent_ += std::max(bytes, least_per_read); }
  void renew() { spent_ = 0; }
  bool is_spent() const { return spent_ >= bytes_per_turn; }

 private:
  std::size_t spent_ = 0;
};

}  // namespace fairlead
