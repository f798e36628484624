#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gateway/record/ear.hpp"
#include "gateway/record/likeness.hpp"
#include "gateway/record/recording.hpp"

namespace fairlead::gateway {

/// Holds what a server says against what was recorded, and keeps the differences, each with its line.
class ReplayJudge {
 public:
  /// `recording` outlives it.
  ReplayJudge(const Recording& recording, std::vector<std::string> ignore, bool lenient);

  const Likeness& likeness() const { return likeness_; }
  bool are_alike(const json::Payload& recorded, const json::Payload& now) {
    return likeness_.differences(recorded, now).empty();
  }

  /// `is_list` where nothing was hidden in the recording.
  void compare(std::size_t index, const json::Payload& recorded, const json::Payload& now, bool is_list);
  void compare(std::size_t index, const Result<session::Reply>& recorded, const Result<session::Reply>& now,
               bool is_list);
  void differ(std::size_t index, const std::string& what);
  /// What was heard and never expected, in the course of a call or else.
  void leftovers(const Ear& ear, std::optional<std::size_t> call);

  std::vector<std::string> take() { return std::move(differences_); }

 private:
  const Recording& recording_;
  Likeness likeness_;
  bool lenient_;
  std::map<std::uint64_t, std::size_t> calls_;
  std::vector<std::string> differences_;
};

}  // namespace fairlead::gateway
