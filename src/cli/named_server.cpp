#include "cli/named_server.hpp"

#include <algorithm>
#include <filesystem>

#include "base/closest_match.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/server_options.hpp"
#include "cli/servers_file.hpp"

namespace fairlead::cli {
namespace {

/// Whether a word has another meaning, even if it is similar to a server's name: `memory.read` names a tool,
/// `name=value` is an argument.
bool is_tool_or_argument(const std::string& word, const std::vector<std::string>& names) {
  const auto begins_it = [&](const std::string& name) { return word.starts_with(name + "."); };
  return word.contains('=') || std::ranges::any_of(names, begins_it);
}

Result<std::optional<gateway::ServerConfig>> extract_named_server(std::vector<std::string>& args,
                                                                  const Options& options) {
  const auto layout = options.layout(args, "--config");
  const bool has_files = !layout.values.empty() || std::filesystem::exists(default_servers_file());
  if (layout.wants_help || layout.positionals.empty() || !has_files) return std::nullopt;
  const auto loaded = load_servers(layout.values);
  if (!loaded) return std::unexpected(loaded.error());
  for (const auto at : layout.positionals) {
    const auto* found = loaded->config.find(args[at]);
    if (!found) continue;
    args.erase(args.begin() + static_cast<std::ptrdiff_t>(at));
    return *found;
  }
  std::vector<std::string> names;
  for (const auto& server : loaded->config.servers) names.push_back(server.name);
  for (const auto at : layout.positionals) {
    if (is_tool_or_argument(args[at], names)) continue;
    if (closest_match(args[at], names)) return std::unexpected(find_server(loaded->config, args[at]).error());
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> take_server(Args& args, const Options& options, ChosenServer& into, bool hint) {
  into.url = extract_url(args);
  into.command = args.server_command;
  if (into.is_set()) return std::nullopt;
  auto named = extract_named_server(args.own, options);
  if (named) {
    into.configured = *std::move(named);
    return std::nullopt;
  }
  const auto& why = named.error().message;
  return hint ? usage_error(options.command(), why) : report_error(options.command(), why, exit_code::usage);
}

void add_server_argument(Options& options, ChosenServer& server, bool hint) {
  options.before_parsing([&options, &server, hint](Args& args) { return take_server(args, options, server, hint); });
}

}  // namespace fairlead::cli
