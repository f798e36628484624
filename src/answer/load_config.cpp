#include "answer/load_config.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "answer/fields.hpp"
#include "base/read_file.hpp"
#include "config/tree.hpp"

namespace fairlead::answer {
namespace {

struct RetiredKey {
  std::string_view section;
  std::string_view name;
  std::string_view why;
};

constexpr auto retired_keys = std::to_array<RetiredKey>({
    {"openai", "api_key", "keys are not allowed in the file; set the environment variable named by api_key_env"},
    {"policy", "prefer_search_when_unsure", "was removed; use your own policy instead: policy.system"},
    {"policy", "require_dates_iso", "was removed; dates are always YYYY-MM-DD"},
    {"server", "transport", "was removed; use the options --stdio and --http"},
});

std::optional<std::string> retired_key_advice(std::string_view section, std::string_view name) {
  for (const auto& key : retired_keys) {
    if (key.section == section && key.name == name) return std::string(key.why);
  }
  return std::nullopt;
}

struct EnvironmentVariable {
  const char* name;
  std::array<const char*, 3> path;  ///< Of the setting; the last element may be null.
};

constexpr auto variables = std::to_array<EnvironmentVariable>({
    {"OPENAI_BASE_URL", {"openai", "base_url"}},
    {"MODEL_ANSWER", {"model_profiles", "answer", "model"}},
    {"ANSWER_EFFORT", {"model_profiles", "answer", "reasoning_effort"}},
    {"ANSWER_VERBOSITY", {"model_profiles", "answer", "verbosity"}},
    {"OPENAI_API_TIMEOUT", {"request", "timeout_ms"}},
    {"OPENAI_MAX_RETRIES", {"request", "max_retries"}},
    {"SEARCH_MAX_RESULTS", {"search", "defaults", "max_results"}},
    {"SEARCH_RECENCY_DAYS", {"search", "defaults", "recency_days"}},
    {"MAX_CITATIONS", {"policy", "max_citations"}},
});

// The document of a file that sets only this variable: {request: {max_retries: ${OPENAI_MAX_RETRIES}}}.
config::Node document_of(const EnvironmentVariable& variable) {
  config::Node node{.kind = config::Node::Kind::scalar, .text = fmt::format("${{{}}}", variable.name), .line = 0};
  for (auto at = variable.path.rbegin(); at != variable.path.rend(); ++at) {
    if (*at == nullptr) continue;
    node.key = *at;
    node = {.kind = config::Node::Kind::map, .children = {std::move(node)}, .line = 0};
  }
  return node;
}

class ConfigLoader {
 public:
  explicit ConfigLoader(const config::Environment& environment) : options_{.environment = environment} {}

  void read_file(const std::string& path) {
    std::error_code ignored;
    if (path.empty() || !std::filesystem::exists(path, ignored)) return;
    loaded_.file = path;
    const auto text = fairlead::read_file(path);
    if (!text) return diagnostics_.add({.file = path}, "", text.error().message);
    const auto tree = config::read_tree(path, *text, diagnostics_);
    if (!tree) return;
    config::ReadContext context(path, options_, diagnostics_, loaded_.sources,
                                {.retired = retired_key_advice, .ignore_unknown = true});
    config::read_fields(context, {*tree, "", ""}, loaded_.config);
    reject_key_variable();
  }

  // An invalid variable is ignored with a warning.
  void read_variable(const EnvironmentVariable& variable) {
    if (options_.environment(variable.name).value_or("").empty()) return;
    auto changed = loaded_;
    config::Diagnostics diagnostics;
    config::ReadContext context(fmt::format("variable {}", variable.name), options_, diagnostics, changed.sources);
    config::read_fields(context, {document_of(variable), "", ""}, changed.config);
    if (diagnostics.empty()) loaded_ = std::move(changed);
    for (const auto& line : diagnostics.lines()) warnings_.push_back(line + "; the variable is ignored");
  }

  Result<LoadedConfig> finish() && {
    if (!diagnostics_.empty()) return std::unexpected(diagnostics_.error());
    loaded_.warnings = diagnostics_.warnings();
    loaded_.warnings.insert(loaded_.warnings.end(), warnings_.begin(), warnings_.end());
    return std::move(loaded_);
  }

 private:
  // A variable in the file would put the key into the configuration, which is printed.
  void reject_key_variable() {
    const auto& name = loaded_.config.openai.api_key_env;
    const auto used = loaded_.sources.variables();
    if (std::ranges::find(used, name) == used.end()) return;
    diagnostics_.add({.file = *loaded_.file}, "",
                     fmt::format("contains ${{{}}}, which is the API key; keys are not allowed in the file", name));
  }

  config::ReadOptions options_;
  config::Diagnostics diagnostics_;
  std::vector<std::string> warnings_;
  LoadedConfig loaded_;
};

}  // namespace

std::string expanded_path(const std::string& path, const config::Environment& environment) {
  if (path != "~" && !path.starts_with("~/")) return path;
  return environment("HOME").value_or("") + path.substr(1);
}

std::string default_config_path(const config::Environment& environment) {
  if (environment("HOME").value_or("").empty()) return "";
  return expanded_path("~/.config/openai-responses-mcp/config.yaml", environment);
}

Result<LoadedConfig> load_config(const std::string& path, const config::Environment& environment) {
  ConfigLoader loader(environment);
  loader.read_file(path);
  for (const auto& variable : variables) loader.read_variable(variable);
  return std::move(loader).finish();
}

}  // namespace fairlead::answer
