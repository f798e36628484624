#pragma once

#include "gateway/record/recording_index.hpp"
#include "gateway/record/replay_diff.hpp"

namespace fairlead::gateway {

/// Matches live requests and sessions with those of a recording.
class ReplayMatcher {
 public:
  /// `index` outlives it.
  ReplayMatcher(const RecordingIndex& recording_index, bool lenient, std::vector<std::string> ignore);

  /// Returns the recorded call. The error names the expected one and its line.
  Result<std::size_t> call(const session::Call& call);
  /// Returns the recorded notification; nothing if there is none.
  std::optional<std::size_t> notification(const session::Notification& notice);

  void session_opened(std::uint64_t live) { present_.push_back(live); }
  void session_closed(std::uint64_t live);

  /// The live session that was matched with a recorded one; nothing before that.
  std::optional<std::uint64_t> live(std::uint64_t recorded);

  ReplayDiff& diff() { return diff_; }

 private:
  Result<std::size_t> next_of(std::uint64_t recorded, const session::Call& call);
  Result<std::size_t> first_of_any(const session::Call& call);
  Result<std::size_t> anywhere(const session::Call& call);
  std::vector<std::string> differences(std::size_t index, const session::Call& call);
  std::size_t take(std::size_t index, const session::Call& call);
  std::unexpected<Error> unexpected_call(const session::Call& call, const std::string& why) const;
  const RecordingIndex::RecordedSession* recorded_as(std::uint64_t live) const;
  bool is_matched(std::uint64_t recorded) const;

  const RecordingIndex& index_;
  bool lenient_;
  ReplayDiff diff_;
  std::map<std::uint64_t, std::uint64_t> matched_sessions_;  // Recorded session by live session.
  std::vector<std::uint64_t> present_;
  std::set<std::size_t> used_;
};

}  // namespace fairlead::gateway
