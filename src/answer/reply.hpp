#pragma once

#include <chrono>
#include <fairlead/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "answer/citations.hpp"

namespace fairlead::answer {

/// What a tool gives: the members are the contract with its callers.
struct Answer {
  std::string answer;
  bool used_search = false;
  std::vector<Citation> citations = {};
  std::string model = {};

  bool operator==(const Answer&) const = default;
};

/// The answer in the body of a reply to `POST /responses`. An error says what was wrong with the reply, or what the
/// endpoint says went wrong.
Result<Answer> read_reply(std::string body, std::string_view model, std::size_t most_citations, std::string_view today);

/// The text with a section of dated sources at its end, unless it has one.
std::string with_sources(std::string text, const std::vector<Citation>& citations);

/// The day in Tokyo, as YYYY-MM-DD.
std::string day_in_tokyo(std::chrono::system_clock::time_point now);

}  // namespace fairlead::answer
