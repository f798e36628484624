#pragma once

#include <chrono>
#include <fairlead/base/result.hpp>

#include "answer/citations.hpp"

namespace fairlead::answer {

/// The result of a tool. Its member names are those of openai-responses-mcp.
struct Answer {
  std::string answer;
  bool used_search = false;
  std::vector<Citation> citations = {};
  std::string model = {};

  bool operator==(const Answer&) const = default;
};

/// Reads the answer from the body of a `POST /responses` reply, or the error that the endpoint reports.
Result<Answer> read_reply(std::string body, std::string_view model, std::size_t max_citations, std::string_view today);

/// Appends a section of dated sources unless the text has one.
std::string with_sources(std::string text, const std::vector<Citation>& citations);

/// The date in Tokyo, as YYYY-MM-DD.
std::string day_in_tokyo(std::chrono::system_clock::time_point now);

}  // namespace fairlead::answer
