#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/config.hpp"

namespace fairlead::answer {

/// The arguments of a tool.
struct Question {
  std::string query;
  std::optional<double> recency_days = {};
  std::optional<double> max_results = {};
  std::optional<std::vector<std::string>> domains = {};
  std::optional<std::string> style = {};  ///< `summary`, `bullets` or `citations-only`.
};

/// What a schema does not say: a question is not blank, and numbers are counts.
Result<void> check_question(const Question& question);

/// The question as the model reads it, with its hints.
std::string user_text(const Question& question, const SearchDefaults& defaults);

/// The body of `POST /responses`.
std::string request_body(const Profile& profile, std::string_view instructions, std::string_view text);

}  // namespace fairlead::answer
