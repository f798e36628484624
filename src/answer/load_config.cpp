#include "answer/load_config.hpp"

#include <array>
#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "answer/config_layers.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

struct RetiredKey {
  const char* section;
  const char* name;
  const char* why;
};

constexpr std::array retired_keys{
    RetiredKey{"openai", "api_key",
               "keys are not allowed in the file; set the environment variable named by api_key_env"},
    RetiredKey{"policy", "prefer_search_when_unsure", "was removed; use your own policy instead: policy.system"},
    RetiredKey{"policy", "require_dates_iso", "was removed; dates are always YYYY-MM-DD"},
    RetiredKey{"server", "transport", "was removed; use the options --stdio and --http"},
};

Result<void> reject_retired_keys(const bj::value& layer) {
  for (const auto& retired : retired_keys) {
    const auto* section = layer.get_object().if_contains(retired.section);
    if (section == nullptr || !section->is_object()) continue;
    if (!section->get_object().contains(retired.name)) continue;
    return fail(ErrorKind::invalid, fmt::format("{}.{}: {}", retired.section, retired.name, retired.why));
  }
  return {};
}

std::string written(const bj::value& value) {
  std::string text;
  json::write_dom(text, value);
  return text;
}

/// A document with all settings of a file, also those that are absent by default.
bj::value all_names() {
  AnswerConfig full;
  const Profile profile{.model = "", .reasoning_effort = "", .verbosity = ""};
  full.model_profiles = {.answer = profile, .answer_detailed = profile, .answer_quick = profile};
  full.policy.system.path = "";
  full.server.debug_file = "";
  auto names = json::parse_dom(json::encode(full));
  names.get_object()["debug"] = false;  // Read by every command, see cli/log_options.cpp.
  return names;
}

// Relative to the folder of the configuration file, not to the working directory.
void resolve_policy_path(AnswerConfig& config, const std::string& file, const Environment& environment) {
  auto& path = config.policy.system.path;
  if (!path) return;
  const std::filesystem::path configured = expanded_path(*path, environment);
  path = configured.is_absolute() ? configured.string()
                                  : (std::filesystem::path(file).parent_path() / configured).string();
}

}  // namespace

std::string expanded_path(const std::string& path, const Environment& environment) {
  if (path != "~" && !path.starts_with("~/")) return path;
  return environment("HOME").value_or("") + path.substr(1);
}

std::string default_config_path(const Environment& environment) {
  return environment("HOME") ? expanded_path("~/.config/openai-responses-mcp/config.yaml", environment) : "";
}

Result<LoadedConfig> load_config(const std::string& path, const Environment& environment) {
  LoadedConfig loaded;
  const auto file = yaml_layer(path);
  if (!file) return std::unexpected(file.error());
  std::error_code ignored;
  if (!path.empty() && std::filesystem::exists(path, ignored)) loaded.sources.yaml = path;
  const auto with_path = [&](const Error& error) {
    return fail(ErrorKind::invalid, loaded.sources.yaml ? path + ": " + error.message : error.message);
  };
  if (const auto allowed = reject_retired_keys(*file); !allowed) return with_path(allowed.error());
  for (auto& name : unknown_names(*file, all_names())) loaded.warnings.push_back(path + ": " + name);

  auto whole = json::parse_dom(json::encode(AnswerConfig{}));
  overlay(whole, *file);
  overlay(whole, environment_layer(environment, loaded.sources, loaded.warnings));
  auto config = json::decode<AnswerConfig>(written(whole));
  if (!config) return with_path(config.error());
  if (const auto checked = validate_config(*config); !checked) return with_path(checked.error());
  loaded.config = std::move(*config);
  resolve_policy_path(loaded.config, path, environment);
  return loaded;
}

}  // namespace fairlead::answer
