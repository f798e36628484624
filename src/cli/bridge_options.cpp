#include "cli/bridge_options.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace fairlead::cli {
namespace {

/// The server's name: the last part of the program's path.
std::string short_name(const std::string& program) {
  auto name = program.substr(program.find_last_of('/') + 1);
  return name.empty() ? "server" : name;
}

Result<gateway::ServerConfig> started_server(const BridgeOptions& bridge) {
  const auto& command = bridge.server.command;
  gateway::ServerConfig server{.name = short_name(command.front()), .command = command};
  server.lazy = false;
  if (bridge.share == "caller") server.share = gateway::Share::caller;
  auto settings = read_settings(bridge.environment);
  if (!settings) return std::unexpected(std::move(settings.error()));
  server.env = *std::move(settings);
  server.cwd = bridge.directory;
  if (server.cwd.empty() || std::filesystem::is_directory(server.cwd)) return server;
  return fail(ErrorKind::invalid, "--cwd: no such directory: " + server.cwd);
}

Result<gateway::ServerConfig> remote_server(const std::string& url, const UrlOptions& at) {
  const auto http = http_client_options(at);
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

}  // namespace

void add_start_options(Options& options, BridgeOptions& bridge) {
  options.repeatable("-e,--env", bridge.environment, "an environment variable for the server", "<name=value>");
  options.text("--cwd", bridge.directory, "the working directory of the server", "<directory>");
}

void add_bridge_options(Options& options, BridgeOptions& bridge) {
  add_listen_options(options, bridge.listen);
  add_start_options(options, bridge);
  options.choice("--share", bridge.share, "one server process for all clients (default), or one per client",
                 {"shared", "caller"});
  add_url_options(options, bridge.at);
}

void add_server_or_chain_argument(Options& options, BridgeOptions& bridge) {
  options.before_parsing([&](Args& args) {
    // The chain first, because it starts like a URL.
    if (const auto chain = std::ranges::find_if(args.own, gateway::is_pipe); chain != args.own.end()) {
      bridge.chain = std::move(*chain);
      args.own.erase(chain);
    }
    return take_server(args, options, bridge.server);
  });
}

Result<gateway::ServerConfig> make_server_config(const BridgeOptions& bridge) {
  const auto& chosen = bridge.server;
  if (chosen.configured) return *chosen.configured;
  return chosen.url.empty() ? started_server(bridge) : remote_server(chosen.url, bridge.at);
}

Result<gateway::GatewayConfig> make_bridge_config(const BridgeOptions& bridge) {
  auto server = make_server_config(bridge);
  if (!server) return std::unexpected(std::move(server.error()));
  gateway::LoadedConfig loaded;
  loaded.config.servers.push_back(*std::move(server));
  if (auto applied = apply_listen_overrides(bridge.listen, loaded); !applied)
    return std::unexpected(std::move(applied.error()));
  if (auto right = gateway::validate_config(loaded); !right) return std::unexpected(std::move(right.error()));
  return std::move(loaded.config);
}

void listen_on_stdio(gateway::ListenConfig& listen) {
  listen.http = false;
  listen.stdio = true;
}

}  // namespace fairlead::cli
