#pragma once

#include <algorithm>
#include <cstddef>

namespace fairlead {

/// How much a reader takes in one turn of its loop from a peer whose bytes are always there. Once it is spent the
/// reader gives the loop a turn, so that other peers, timers and signals are served; then it is renewed.
class ReadBudget {
 public:
  static constexpr std::size_t bytes_per_turn = std::size_t{64} * 1024;
  /// What a read costs at least, however little it brings: it is a system call.
  static constexpr std::size_t least_per_read = std::size_t{4} * 1024;

  void spend(std::size_t bytes) { spent_ += std::max(bytes, least_per_read); }
  void renew() { spent_ = 0; }
  bool is_spent() const { return spent_ >= bytes_per_turn; }

 private:
  std::size_t spent_ = 0;
};

}  // namespace fairlead
