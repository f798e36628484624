#include "cli/servers_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>
#include <utility>

#include "base/nearest.hpp"

namespace fairlead::cli {
namespace {

std::string absolute_variable(const char* name) {
  const char* value = std::getenv(name);
  // The specification of these folders says that a relative one is to be ignored.
  return value && value[0] == '/' ? value : "";
}

std::vector<std::string> names_of(const gateway::GatewayConfig& config) {
  std::vector<std::string> names;
  for (const auto& server : config.servers) names.push_back(server.name);
  return names;
}

}  // namespace

std::string home_folder() {
  if (auto home = absolute_variable("HOME"); !home.empty()) return home;
  const auto* user = ::getpwuid(::geteuid());
  return user && user->pw_dir ? user->pw_dir : "";
}

std::string config_folder() {
  auto folder = absolute_variable("XDG_CONFIG_HOME");
  return folder.empty() ? home_folder() + "/.config" : folder;
}

std::string default_servers_file() {
  return config_folder() + "/fairlead/servers.json";
}

Result<std::vector<std::string>> servers_files(std::vector<std::string> named) {
  if (!named.empty()) return named;
  auto own = default_servers_file();
  if (std::filesystem::exists(own)) return std::vector{std::move(own)};
  return fail(ErrorKind::invalid,
              fmt::format("there is no {} yet; begin it with fairlead add <name> -- <command...>, or name another file "
                          "with -c",
                          own));
}

Result<gateway::Loaded> load_servers(std::vector<std::string> named) {
  const auto files = servers_files(std::move(named));
  if (!files) return std::unexpected(files.error());
  return gateway::load_config(*files);
}

std::string known_servers(const gateway::GatewayConfig& config) {
  std::string names;
  for (const auto& name : names_of(config)) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "no server is configured; fairlead add does that" : "there are: " + names;
}

Result<gateway::ServerConfig> find_server(const gateway::GatewayConfig& config, const std::string& name) {
  if (const auto* found = config.find(name)) return *found;
  const auto near = nearest(name, names_of(config));
  const auto meant = near ? fmt::format("did you mean '{}'? ", *near) : "";
  return fail(ErrorKind::invalid, fmt::format("no server is called '{}'; {}{}", name, meant, known_servers(config)));
}

Result<ServerWord> split_server_word(const gateway::GatewayConfig& config, const std::string& word) {
  const gateway::ServerConfig* best = nullptr;
  // Names may have dots themselves: the longest that fits is meant.
  for (const auto& server : config.servers) {
    const bool fits = word.starts_with(server.name + ".");
    if (fits && (!best || server.name.size() > best->name.size())) best = &server;
  }
  if (best) return ServerWord{*best, word.substr(best->name.size() + 1)};
  const auto unknown = find_server(config, word.substr(0, word.find('.')));
  if (!unknown) return std::unexpected(unknown.error());
  return fail(ErrorKind::invalid, fmt::format("write <server>.<tool>, as in {}.echo", unknown->name));
}

}  // namespace fairlead::cli
