#include "cli/servers_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>
#include <utility>

#include "base/closest_match.hpp"

namespace fairlead::cli {
namespace {

std::string absolute_variable(const char* name) {
  const char* value = std::getenv(name);
  // The XDG Base Directory specification says to ignore relative paths.
  return value && value[0] == '/' ? value : "";
}

std::vector<std::string> names_of(const gateway::GatewayConfig& config) {
  std::vector<std::string> names;
  for (const auto& server : config.servers) names.push_back(server.name);
  return names;
}

}  // namespace

std::string home_directory() {
  if (auto home = absolute_variable("HOME"); !home.empty()) return home;
  const auto* user = ::getpwuid(::geteuid());
  return user && user->pw_dir ? user->pw_dir : "";
}

std::string config_directory() {
  auto directory = absolute_variable("XDG_CONFIG_HOME");
  return directory.empty() ? home_directory() + "/.config" : directory;
}

std::string default_servers_file() {
  return config_directory() + "/fairlead/servers.json";
}

Result<std::vector<std::string>> resolve_config_files(std::vector<std::string> named) {
  if (!named.empty()) return named;
  auto own = default_servers_file();
  if (std::filesystem::exists(own)) return std::vector{std::move(own)};
  return fail(ErrorKind::invalid,
              fmt::format("{} does not exist; create it with fairlead add <name> -- <command...>, or give another file "
                          "with -c",
                          own));
}

Result<gateway::LoadedConfig> load_servers(std::vector<std::string> named) {
  const auto files = resolve_config_files(std::move(named));
  if (!files) return std::unexpected(files.error());
  return gateway::load_config(*files);
}

std::string server_names_hint(const gateway::GatewayConfig& config) {
  std::string names;
  for (const auto& name : names_of(config)) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "no server is configured; add one with fairlead add" : "configured: " + names;
}

Result<gateway::ServerConfig> find_server(const gateway::GatewayConfig& config, const std::string& name) {
  if (const auto* found = config.find(name)) return *found;
  const auto near = closest_match(name, names_of(config));
  const auto meant = near ? fmt::format("did you mean '{}'? ", *near) : "";
  return fail(ErrorKind::invalid, fmt::format("no server is named '{}'; {}{}", name, meant, server_names_hint(config)));
}

Result<QualifiedName> split_qualified_name(const gateway::GatewayConfig& config, const std::string& word) {
  const gateway::ServerConfig* best = nullptr;
  // Server names may contain dots: the longest match wins.
  for (const auto& server : config.servers) {
    const bool fits = word.starts_with(server.name + ".");
    if (fits && (!best || server.name.size() > best->name.size())) best = &server;
  }
  if (best) return QualifiedName{*best, word.substr(best->name.size() + 1)};
  const auto unknown = find_server(config, word.substr(0, word.find('.')));
  if (!unknown) return std::unexpected(unknown.error());
  return fail(ErrorKind::invalid, fmt::format("expected <server>.<tool>, as in {}.echo", unknown->name));
}

}  // namespace fairlead::cli
