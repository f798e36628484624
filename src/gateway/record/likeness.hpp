#pragma once

#include <fairlead/base/redactor.hpp>
#include <fairlead/json/payload.hpp>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::gateway {

/// Tells in what two runs of the same session differ, and passes over what always differs: tokens, ids, times, and what
/// was hidden in the recording.
class Likeness {
 public:
  /// `ignore` names members that do not matter either.
  explicit Likeness(std::vector<std::string> ignore = {});

  /// Each like `content[0].text: "4" instead of "3"`. Remembers which id of this run stands for which recorded one.
  std::vector<std::string> differences(const json::Payload& recorded, const json::Payload& now);

  /// The recorded text with the ids of this run.
  json::Payload translated(const json::Payload& recorded) const;

  /// As a recording would show it.
  std::string hidden(std::string_view text) const { return redactor_.redact(text); }

 private:
  struct Walk;

  std::set<std::string, std::less<>> ignored_;
  std::map<std::string, std::string, std::less<>> ids_;
  Redactor redactor_;
};

}  // namespace fairlead::gateway
