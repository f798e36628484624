#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include "answer/config_layers.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

/// The valid values of a variable: one of `words`, an integer from `min` to `max`, a URL, or any text.
struct ValueRule {
  std::array<std::string_view, 4> words = {};
  std::int64_t min = 0, max = 0;
  bool url = false;

  bool wants_word() const { return !words[0].empty(); }
  bool wants_number() const { return max > 0; }
};

struct EnvironmentVariable {
  const char* name;
  std::array<std::string_view, 3> path;  ///< Of the setting; the last element may be empty.
  ValueRule rule;
};

constexpr std::int64_t any_count = 1'000'000'000;
constexpr ValueRule any_text{};
constexpr ValueRule effort_words{.words = {"low", "medium", "high", "xhigh"}};
constexpr ValueRule verbosity_words{.words = {"low", "medium", "high"}};

constexpr std::array variables{
    EnvironmentVariable{"OPENAI_BASE_URL", {"openai", "base_url"}, {.url = true}},
    EnvironmentVariable{"MODEL_ANSWER", {"model_profiles", "answer", "model"}, any_text},
    EnvironmentVariable{"ANSWER_EFFORT", {"model_profiles", "answer", "reasoning_effort"}, effort_words},
    EnvironmentVariable{"ANSWER_VERBOSITY", {"model_profiles", "answer", "verbosity"}, verbosity_words},
    EnvironmentVariable{"OPENAI_API_TIMEOUT", {"request", "timeout_ms"}, {.min = 1, .max = any_count}},
    EnvironmentVariable{"OPENAI_MAX_RETRIES", {"request", "max_retries"}, {.min = 0, .max = 10}},
    EnvironmentVariable{"SEARCH_MAX_RESULTS", {"search", "defaults", "max_results"}, {.min = 1, .max = 10}},
    EnvironmentVariable{"SEARCH_RECENCY_DAYS", {"search", "defaults", "recency_days"}, {.min = 0, .max = any_count}},
    EnvironmentVariable{"MAX_CITATIONS", {"policy", "max_citations"}, {.min = 1, .max = 10}},
};

std::optional<bj::value> read_by(const ValueRule& rule, const std::string& text) {
  if (rule.url) {
    if (!is_base_url(text)) return std::nullopt;
  } else if (rule.wants_word()) {
    if (std::ranges::find(rule.words, std::string_view(text)) == rule.words.end()) return std::nullopt;
  } else if (rule.wants_number()) {
    std::int64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || read != end || number < rule.min || number > rule.max) return std::nullopt;
    return bj::value(number);
  }
  return bj::value(bj::string(text));
}

std::string wanted(const ValueRule& rule) {
  if (rule.url) return "the URL of an API, such as https://<host>/v1";
  if (!rule.wants_word()) return fmt::format("an integer from {} to {}", rule.min, rule.max);
  std::string all;
  for (const auto word : rule.words) {
    if (!word.empty()) all += (all.empty() ? "" : ", ") + std::string(word);
  }
  return "one of " + all;
}

void set_at(bj::value& layer, const EnvironmentVariable& variable, bj::value value) {
  bj::value* at = &layer;
  for (const auto name : variable.path) {
    if (name.empty()) break;
    if (!at->is_object()) *at = bj::object{};
    at = &at->get_object()[name];
  }
  *at = std::move(value);
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
  };
}

std::string consume_variable(const std::string& name) {
  const auto begin = name + "=";
  std::string taken;
  // Takes the first value, but erases all: `environ` may contain duplicates.
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with(begin)) continue;
    char* value = *entry + begin.size();
    if (taken.empty()) taken = value;
    ::explicit_bzero(value, std::strlen(value));
  }
  ::unsetenv(name.c_str());
  return taken;
}

bj::value environment_layer(const Environment& environment, ConfigSources& sources,
                            std::vector<std::string>& warnings) {
  bj::value layer = bj::object{};
  for (const auto& variable : variables) {
    const auto text = environment(variable.name);
    if (!text) continue;
    auto value = read_by(variable.rule, *text);
    if (!value) {
      warnings.push_back(fmt::format("{} is ignored: expected {}", variable.name, wanted(variable.rule)));
      continue;
    }
    set_at(layer, variable, std::move(*value));
    sources.env.emplace_back(variable.name);
  }
  return layer;
}

}  // namespace fairlead::answer
