#include "answer/load.hpp"

#include <array>
#include <boost/json.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/dom.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "answer/layers.hpp"

namespace fairlead::answer {
namespace {

namespace bj = boost::json;

struct Refused {
  const char* section;
  const char* name;
  const char* why;
};

constexpr std::array refused_names{
    Refused{"openai", "api_key", "a key does not belong into a file; put it into the variable that api_key_env names"},
    Refused{"policy", "prefer_search_when_unsure", "is no longer there; say it in a policy of your own: policy.system"},
    Refused{"policy", "require_dates_iso", "is no longer there; dates are always YYYY-MM-DD"},
    Refused{"server", "transport", "is no longer there; --stdio and --http choose"},
};

Result<void> refuse_names(const bj::value& layer) {
  for (const auto& refused : refused_names) {
    const auto* section = layer.get_object().if_contains(refused.section);
    if (section == nullptr || !section->is_object()) continue;
    if (!section->get_object().contains(refused.name)) continue;
    return fail(ErrorKind::invalid, fmt::format("{}.{}: {}", refused.section, refused.name, refused.why));
  }
  return {};
}

std::string written(const bj::value& value) {
  std::string text;
  json::write_dom(text, value);
  return text;
}

/// Every name that a file may have, members that are absent by default included.
bj::value all_names() {
  Config full;
  const Profile profile{.model = "", .reasoning_effort = "", .verbosity = ""};
  full.model_profiles = {.answer = profile, .answer_detailed = profile, .answer_quick = profile};
  full.policy.system.path = "";
  full.server.debug_file = "";
  auto names = json::parse_dom(json::encode(full));
  names.get_object()["debug"] = false;  // Every command reads it, see cli/log_options.cpp.
  return names;
}

// Seen from the folder of the file that says it: whoever starts a server chooses its working directory.
void settle_policy_path(Config& config, const std::string& file, const Environment& environment) {
  auto& path = config.policy.system.path;
  if (!path) return;
  const std::filesystem::path said = expanded_path(*path, environment);
  path = said.is_absolute() ? said.string() : (std::filesystem::path(file).parent_path() / said).string();
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
  const auto placed = [&](const Error& error) {
    return fail(ErrorKind::invalid, loaded.sources.yaml ? path + ": " + error.message : error.message);
  };
  if (const auto allowed = refuse_names(*file); !allowed) return placed(allowed.error());
  for (auto& name : unknown_names(*file, all_names())) loaded.warnings.push_back(path + ": " + name);

  auto whole = json::parse_dom(json::encode(Config{}));
  lay_over(whole, *file);
  lay_over(whole, environment_layer(environment, loaded.sources, loaded.warnings));
  auto config = json::decode<Config>(written(whole));
  if (!config) return placed(config.error());
  if (const auto checked = check_config(*config); !checked) return placed(checked.error());
  loaded.config = std::move(*config);
  settle_policy_path(loaded.config, path, environment);
  return loaded;
}

}  // namespace fairlead::answer
