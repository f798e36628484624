#include "answer/config.hpp"

#include <fmt/format.h>

namespace fairlead::answer {

Result<Profile> profile_for(const AnswerConfig& config, std::string_view tool) {
  const auto& all = config.model_profiles;
  const auto& own = tool == "answer_detailed" ? all.answer_detailed
                    : tool == "answer_quick"  ? all.answer_quick
                                              : all.answer;
  const auto& found = own ? own : all.answer;
  if (!found) return fail(ErrorKind::invalid, fmt::format("model_profiles.{} is required", tool));
  Profile whole = *found;
  const Profile rest = all.answer.value_or(Profile{});
  if (!whole.model) whole.model = rest.model;
  if (!whole.reasoning_effort) whole.reasoning_effort = rest.reasoning_effort;
  if (!whole.verbosity) whole.verbosity = rest.verbosity;
  if (!whole.model) return fail(ErrorKind::invalid, fmt::format("model_profiles.{}.model is required", tool));
  return whole;
}

}  // namespace fairlead::answer
