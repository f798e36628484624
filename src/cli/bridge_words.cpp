#include "cli/bridge_words.hpp"

#include <filesystem>
#include <utility>

namespace fairlead::cli {
namespace {

/// The last part of a program's path, as a name for the server.
std::string short_name(const std::string& program) {
  auto name = program.substr(program.find_last_of('/') + 1);
  return name.empty() ? "server" : name;
}

}  // namespace

void add_bridge_options(Options& options, BridgeWords& bridge) {
  add_listen_options(options, bridge.listen);
  options.list("-e,--env", bridge.environment, "a variable for the server's environment", "<name=value>");
  options.text("--cwd", bridge.directory, "the folder that the server runs in", "<folder>");
  options.choice("--share", bridge.share, "one process for all clients (the default), or one for each",
                 {"shared", "caller"});
}

Result<gateway::GatewayConfig> bridge_to(gateway::ServerConfig server, const ListenWords& words) {
  gateway::Loaded loaded;
  loaded.config.servers.push_back(std::move(server));
  if (auto told = listen_as_told(words, loaded); !told) return std::unexpected(std::move(told.error()));
  if (auto right = gateway::check_config(loaded); !right) return std::unexpected(std::move(right.error()));
  return std::move(loaded.config);
}

void listen_on_stdio(gateway::ListenConfig& listen) {
  listen.http = false;
  listen.stdio = true;
}

Result<gateway::ServerConfig> started_server(const BridgeWords& bridge, const std::vector<std::string>& command) {
  gateway::ServerConfig server{.name = short_name(command.front()), .command = command};
  server.lazy = false;
  if (bridge.share == "caller") server.share = gateway::Share::caller;
  auto settings = read_settings(bridge.environment);
  if (!settings) return std::unexpected(std::move(settings.error()));
  server.env = *std::move(settings);
  server.cwd = bridge.directory;
  if (server.cwd.empty() || std::filesystem::is_directory(server.cwd)) return server;
  return fail(ErrorKind::invalid, "--cwd: there is no folder " + server.cwd);
}

Result<gateway::ServerConfig> remote_server(const std::string& url, const UrlOptions& at) {
  const auto http = choose_http(at);
  if (!http) return std::unexpected(http.error());
  gateway::ServerConfig server{.name = "remote"};
  server.url = url;
  for (const auto& header : http->headers) server.headers.emplace(header.name, header.value);
  if (!at.bearer.empty()) server.headers.emplace("Authorization", "Bearer " + at.bearer);
  server.cacert = at.ca_file;
  server.cert = at.certificate_file;
  server.key = at.key_file;
  return server;
}

}  // namespace fairlead::cli
