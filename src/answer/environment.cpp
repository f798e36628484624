#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string.h>
#include <unistd.h>

#include "answer/layers.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

/// What a variable may hold: one of some words, a whole number within limits, a URL, or any text.
struct Rule {
  std::array<std::string_view, 4> words = {};
  std::int64_t least = 0, most = 0;
  bool url = false;

  bool wants_word() const { return !words[0].empty(); }
  bool wants_number() const { return most > 0; }
};

struct Variable {
  const char* name;
  std::array<std::string_view, 3> path;  ///< In the file; the last may be empty.
  Rule rule;
};

constexpr std::int64_t any_count = 1'000'000'000;
constexpr Rule any_text{};
constexpr Rule effort_words{.words = {"low", "medium", "high", "xhigh"}};
constexpr Rule verbosity_words{.words = {"low", "medium", "high"}};

constexpr std::array variables{
    Variable{"OPENAI_BASE_URL", {"openai", "base_url"}, {.url = true}},
    Variable{"MODEL_ANSWER", {"model_profiles", "answer", "model"}, any_text},
    Variable{"ANSWER_EFFORT", {"model_profiles", "answer", "reasoning_effort"}, effort_words},
    Variable{"ANSWER_VERBOSITY", {"model_profiles", "answer", "verbosity"}, verbosity_words},
    Variable{"OPENAI_API_TIMEOUT", {"request", "timeout_ms"}, {.least = 1, .most = any_count}},
    Variable{"OPENAI_MAX_RETRIES", {"request", "max_retries"}, {.least = 0, .most = 10}},
    Variable{"SEARCH_MAX_RESULTS", {"search", "defaults", "max_results"}, {.least = 1, .most = 10}},
    Variable{"SEARCH_RECENCY_DAYS", {"search", "defaults", "recency_days"}, {.least = 0, .most = any_count}},
    Variable{"MAX_CITATIONS", {"policy", "max_citations"}, {.least = 1, .most = 10}},
};

std::optional<bj::value> read_by(const Rule& rule, const std::string& text) {
  if (rule.url) {
    if (!is_base_url(text)) return std::nullopt;
  } else if (rule.wants_word()) {
    if (std::ranges::find(rule.words, std::string_view(text)) == rule.words.end()) return std::nullopt;
  } else if (rule.wants_number()) {
    std::int64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || read != end || number < rule.least || number > rule.most) return std::nullopt;
    return bj::value(number);
  }
  return bj::value(bj::string(text));
}

std::string wanted(const Rule& rule) {
  if (rule.url) return "a URL of an API, such as https://<host>/v1";
  if (!rule.wants_word()) return fmt::format("a whole number from {} to {}", rule.least, rule.most);
  std::string all;
  for (const auto word : rule.words) {
    if (!word.empty()) all += (all.empty() ? "" : ", ") + std::string(word);
  }
  return "one of " + all;
}

void put(bj::value& layer, const Variable& variable, bj::value value) {
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

std::string take_variable(const std::string& name) {
  const auto begin = name + "=";
  std::string taken;
  // The first one counts, but a list may have more of that name.
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
      warnings.push_back(fmt::format("{} is passed over: it is not {}", variable.name, wanted(variable.rule)));
      continue;
    }
    put(layer, variable, std::move(*value));
    sources.env.emplace_back(variable.name);
  }
  return layer;
}

}  // namespace fairlead::answer
