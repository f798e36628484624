#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gateway/record/likeness.hpp"
#include "gateway/record/script.hpp"

namespace fairlead::gateway {

/// Finds who is who: which line of a recording a request of today is, and which conversation.
class Casting {
 public:
  /// `script` outlives it.
  Casting(const Script& script, bool lenient, std::vector<std::string> ignore);

  /// The recorded call. An error says what was expected, and where that stands.
  Result<std::size_t> call(const session::Call& call);
  /// The recorded notice; nothing for one that nobody has sent then.
  std::optional<std::size_t> notice(const session::Notice& notice);

  void enter(std::uint64_t live) { present_.push_back(live); }
  void leave(std::uint64_t live);

  /// Today's conversation in the place of a recorded one; nothing if that has not begun.
  std::optional<std::uint64_t> live(std::uint64_t recorded);

  Likeness& likeness() { return likeness_; }

 private:
  Result<std::size_t> next_of(std::uint64_t recorded, const session::Call& call);
  Result<std::size_t> first_of_any(const session::Call& call);
  Result<std::size_t> anywhere(const session::Call& call);
  std::vector<std::string> differences(std::size_t index, const session::Call& call);
  std::size_t take(std::size_t index, const session::Call& call);
  std::unexpected<Error> unexpected_call(const session::Call& call, const std::string& why) const;
  const Script::Conversation* recorded_as(std::uint64_t live) const;
  bool is_cast(std::uint64_t recorded) const;

  const Script& script_;
  bool lenient_;
  Likeness likeness_;
  std::map<std::uint64_t, std::uint64_t> roles_;  // From today's conversation to the recorded one.
  std::vector<std::uint64_t> present_;
  std::set<std::size_t> used_;
};

}  // namespace fairlead::gateway
