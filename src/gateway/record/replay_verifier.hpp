#pragma once

#include <optional>
#include <utility>

#include "gateway/record/captured_channel.hpp"
#include "gateway/record/recording.hpp"
#include "gateway/record/replay_diff.hpp"

namespace fairlead::gateway {

/// Compares messages of a server with the recorded ones and collects the differences with their lines.
class ReplayVerifier {
 public:
  /// `recording` outlives it.
  ReplayVerifier(const Recording& recording, std::vector<std::string> ignore, bool lenient);

  const ReplayDiff& diff() const { return diff_; }
  bool matches(const json::Payload& recorded, const json::Payload& now) {
    return diff_.differences(recorded, now).empty();
  }

  /// `is_list`: lists are recorded without redaction.
  void compare(std::size_t index, const json::Payload& recorded, const json::Payload& now, bool is_list);
  void compare(std::size_t index, const Result<session::Reply>& recorded, const Result<session::Reply>& now,
               bool is_list);
  void add_difference(std::size_t index, const std::string& what);
  /// Reports captured messages that were not recorded, of a call or a session.
  void report_unexpected(const CapturedChannel& channel, std::optional<std::size_t> call);

  std::vector<std::string> take() { return std::move(differences_); }

 private:
  const Recording& recording_;
  ReplayDiff diff_;
  bool lenient_;
  std::map<std::uint64_t, std::size_t> calls_;
  std::vector<std::string> differences_;
};

}  // namespace fairlead::gateway
