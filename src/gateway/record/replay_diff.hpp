#pragma once

#include <fairlead/base/redactor.hpp>
#include <fairlead/json/payload.hpp>
#include <map>
#include <set>

namespace fairlead::gateway {

/// Compares messages of two runs of a session. Ignores values that always differ: tokens, ids, times, and what was
/// redacted in the recording.
class ReplayDiff {
 public:
  /// `ignore`: additional member names to ignore.
  explicit ReplayDiff(std::vector<std::string> ignore = {});

  /// Returns differences such as `content[0].text: "4" instead of "3"`. Remembers which id of this run corresponds to
  /// which recorded id.
  std::vector<std::string> differences(const json::Payload& recorded, const json::Payload& now);

  /// Replaces recorded ids by those of this run.
  json::Payload with_current_ids(const json::Payload& recorded) const;

  /// Redacts a text like a recording does.
  std::string redacted(std::string_view text) const { return redactor_.redact(text); }

 private:
  struct Walk;

  std::set<std::string, std::less<>> ignored_;
  std::map<std::string, std::string, std::less<>> ids_;
  Redactor redactor_;
};

}  // namespace fairlead::gateway
