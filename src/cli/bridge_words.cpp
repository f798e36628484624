#include "cli/bridge_words.hpp"

#include <utility>

#include "cli/listening.hpp"

namespace fairlead::cli {
namespace {

/// The last part of a program's path, as a name for the server.
std::string short_name(const std::string& program) {
  auto name = program.substr(program.find_last_of('/') + 1);
  return name.empty() ? "server" : name;
}

}  // namespace

void add_bridge_options(Options& options, BridgeWords& bridge) {
  options.text("-p,--port", bridge.port, "where to listen (default 8080); 0 takes any free port", "<port>");
  options.text("--host", bridge.host, "the address to listen on (default 127.0.0.1)", "<address>");
  options.list("-e,--env", bridge.environment, "a variable for the server", "<name=value>");
  options.choice("--share", bridge.share, "one process for all callers, or one for each", {"shared", "caller"});
  options.flag("--insecure", bridge.insecure, "listen beyond this machine although nothing asks who calls");
}

Result<void> listen_as_told(const BridgeWords& bridge, gateway::ListenConfig& listen) {
  listen.host = bridge.host;
  listen.insecure = bridge.insecure;
  if (bridge.port.empty()) return {};
  const auto number = read_port(bridge.port);
  if (!number) return std::unexpected(number.error());
  listen.port = *number;
  return {};
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
  return server;
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
