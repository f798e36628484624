#include "answer/config.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "http/url.hpp"

namespace fairlead::answer {
namespace {

using Words = std::initializer_list<std::string_view>;

std::unexpected<Error> invalid_setting(std::string_view path, std::string_view why) {
  return fail(ErrorKind::invalid, fmt::format("{}: {}", path, why));
}

Result<void> expect_one_of(std::string_view path, const std::string& value, Words words) {
  if (std::ranges::find(words, std::string_view(value)) != words.end()) return {};
  return invalid_setting(path, fmt::format("expected one of {}, got '{}'", fmt::join(words, ", "), value));
}

Result<void> expect_within(std::string_view path, double value, double min, double max) {
  if (value >= min && value <= max) return {};
  return invalid_setting(path, fmt::format("expected a number from {} to {}, got {}", min, max, value));
}

Result<void> check_profile(std::string_view name, const std::optional<Profile>& profile) {
  if (!profile) return {};
  const auto path = fmt::format("model_profiles.{}.", name);
  if (profile->reasoning_effort) {
    const Words efforts{"low", "medium", "high", "xhigh"};
    auto checked = expect_one_of(path + "reasoning_effort", *profile->reasoning_effort, efforts);
    if (!checked) return checked;
  }
  if (!profile->verbosity) return {};
  return expect_one_of(path + "verbosity", *profile->verbosity, {"low", "medium", "high"});
}

// The error does not repeat the value: it may be the key itself.
bool is_variable_name(std::string_view name) {
  const auto legal = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::ranges::all_of(name, legal);
}

Result<void> check_endpoint(const EndpointConfig& endpoint) {
  if (!is_variable_name(endpoint.api_key_env)) {
    return invalid_setting("openai.api_key_env",
                           "expected the name of an environment variable; put the key itself into that variable");
  }
  if (is_base_url(endpoint.base_url)) return {};
  return invalid_setting("openai.base_url", "expected the URL of an API, such as https://<host>/v1");
}

Result<void> check_policy(const PolicyConfig& policy) {
  auto checked = expect_within("policy.max_citations", static_cast<double>(policy.max_citations), 1, 10);
  if (checked) checked = expect_one_of("policy.system.source", policy.system.source, {"builtin", "file"});
  if (checked) checked = expect_one_of("policy.system.merge", policy.system.merge, {"replace", "prepend", "append"});
  return checked;
}

constexpr double a_day_in_ms = 86'400'000;

Result<void> check_numbers(const AnswerConfig& config) {
  auto checked = expect_within("request.timeout_ms", static_cast<double>(config.request.timeout_ms), 1, a_day_in_ms);
  if (checked) checked = expect_within("request.max_retries", static_cast<double>(config.request.max_retries), 0, 10);
  if (checked) checked = expect_within("search.defaults.recency_days", config.search.defaults.recency_days, 0, 1e6);
  if (checked) checked = expect_within("search.defaults.max_results", config.search.defaults.max_results, 1, 10);
  return checked;
}

Result<void> check_tools(const std::vector<std::string>& tools) {
  for (const auto& tool : tools) {
    auto checked = expect_one_of("tools", tool, {"answer", "answer_detailed", "answer_quick"});
    if (!checked) return checked;
  }
  return {};
}

}  // namespace

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

bool is_base_url(const std::string& text) {
  const auto url = http::parse_url(text);
  return url && url->scheme.starts_with("http");
}

Result<void> validate_config(const AnswerConfig& config) {
  const auto& all = config.model_profiles;
  auto checked = check_endpoint(config.openai);
  if (checked) checked = check_profile("answer", all.answer);
  if (checked) checked = check_profile("answer_detailed", all.answer_detailed);
  if (checked) checked = check_profile("answer_quick", all.answer_quick);
  if (checked) checked = check_numbers(config);
  if (checked) checked = check_policy(config.policy);
  if (checked) checked = check_tools(config.tools);
  return checked;
}

}  // namespace fairlead::answer
