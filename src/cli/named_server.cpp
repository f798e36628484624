#include "cli/named_server.hpp"

#include <algorithm>
#include <filesystem>

#include "base/nearest.hpp"
#include "cli/servers_file.hpp"

namespace fairlead::cli {
namespace {

/// Whether a word is no name of a server, however close to one: `memory.read` is a tool of one, `name=value` an
/// argument.
bool may_be_other(const std::string& word, const std::vector<std::string>& names) {
  const auto begins_it = [&](const std::string& name) { return word.starts_with(name + "."); };
  return word.contains('=') || std::ranges::any_of(names, begins_it);
}

}  // namespace

Result<std::optional<gateway::ServerConfig>> take_named_server(std::vector<std::string>& words,
                                                               const Options& options) {
  const auto layout = options.layout(words, "--config");
  const bool has_files = !layout.values.empty() || std::filesystem::exists(default_servers_file());
  if (layout.wants_help || layout.words.empty() || !has_files) return std::nullopt;
  const auto loaded = load_servers(layout.values);
  if (!loaded) return std::unexpected(loaded.error());
  for (const auto at : layout.words) {
    const auto* found = loaded->config.find(words[at]);
    if (!found) continue;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
    return *found;
  }
  std::vector<std::string> names;
  for (const auto& server : loaded->config.servers) names.push_back(server.name);
  for (const auto at : layout.words) {
    if (may_be_other(words[at], names)) continue;
    if (nearest(words[at], names)) return std::unexpected(find_server(loaded->config, words[at]).error());
  }
  return std::nullopt;
}

}  // namespace fairlead::cli
