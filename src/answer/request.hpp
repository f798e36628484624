#pragma once

#include "answer/config.hpp"

namespace fairlead::answer {

/// The arguments of a tool.
struct AnswerArguments {
  std::string query;
  std::optional<double> recency_days = {};
  std::optional<double> max_results = {};
  std::optional<std::vector<std::string>> domains = {};
  std::optional<std::string> style = {};  ///< `summary`, `bullets` or `citations-only`.
};

/// Checks what the schema cannot express: the query is not blank, numbers are in range.
Result<void> check_arguments(const AnswerArguments& arguments);

/// The user message for the model: the query and its hints.
std::string user_text(const AnswerArguments& arguments, const SearchDefaults& defaults);

/// The body of `POST /responses`.
std::string request_body(const Profile& profile, std::string_view instructions, std::string_view text);

}  // namespace fairlead::answer
