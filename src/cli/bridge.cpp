#include <fmt/format.h>
#include <utility>

#include "cli/commands.hpp"
#include "cli/listening.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/server_options.hpp"
#include "cli/serving.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {
namespace {

constexpr auto bridge_examples = R"(  fairlead -- npx -y @modelcontextprotocol/server-everything
  fairlead --port 9000 -- ./my-server --its-option
  fairlead 'http://:8000 | timeout(30s) | stdio:npx -y @modelcontextprotocol/server-memory')";

constexpr auto connect_examples = R"(  fairlead connect https://example.com/mcp
  fairlead connect https://example.com/mcp -H 'X-Team: blue' --bearer "$TOKEN"
  fairlead connect ws://127.0.0.1:8080/ws)";

/// The last part of a program's path, as a name for the server.
std::string short_name(const std::string& program) {
  auto name = program.substr(program.find_last_of('/') + 1);
  return name.empty() ? "server" : name;
}

int wrong_usage(std::string_view command, std::string_view why) {
  complain(fmt::format("fairlead{}{}: {}", command.empty() ? "" : " ", command, why));
  return exit_code::usage;
}

int serve_with(gateway::GatewayConfig config, const LogOptions& log, std::string_view command, bool announce) {
  auto decision = decide(log);
  if (!decision) return wrong_usage(command, decision.error().message);
  if (!announce) config.log.level = LogLevel::warning;
  return serve({.config = std::move(config), .debug = std::move(*decision), .announce = announce});
}

int run_pipe(const std::string& line, const LogOptions& log) {
  auto loaded = gateway::read_pipe(line);
  if (!loaded) return wrong_usage("", loaded.error().message);
  for (const auto& warning : loaded->warnings) complain(warning);
  const bool on_stdio = loaded->config.listen.stdio;
  return serve_with(std::move(loaded->config), log, "", !on_stdio);
}

}  // namespace

int run_bridge(const Words& words) {
  Options options("[options] -- <command...>",
                  "Puts a server that speaks on stdin and stdout on HTTP, SSE and WebSocket, in every revision.",
                  bridge_examples);
  std::string host = "127.0.0.1", port = "8080", pipe, share;
  bool insecure = false;
  std::vector<std::string> environment;
  LogOptions log;
  options.text("-p,--port", port, "where to listen (default 8080); 0 takes any free port", "<port>");
  options.text("--host", host, "the address to listen on (default 127.0.0.1)", "<address>");
  options.list("-e,--env", environment, "a variable for the server", "<name=value>");
  options.choice("--share", share, "one process for all callers, or one for each", {"shared", "caller"});
  options.flag("--insecure", insecure, "listen beyond this machine although nothing asks who calls");
  options.word("pipe", pipe, "a chain in one line, instead of a command", false);
  add_log_options(options, log);
  if (const auto done = options.parse(words.own)) return *done;
  if (!pipe.empty() && words.child.empty()) return run_pipe(pipe, log);
  if (!pipe.empty() || words.child.empty()) {
    return wrong_usage("", "write the server's command behind --, or a chain in quotes; see fairlead --help");
  }
  gateway::GatewayConfig config;
  gateway::ServerConfig server{.name = short_name(words.child.front()), .command = words.child};
  server.lazy = false;
  if (share == "caller") server.share = gateway::Share::caller;
  auto settings = read_settings(environment);
  if (!settings) return wrong_usage("", settings.error().message);
  server.env = *std::move(settings);
  config.servers.push_back(std::move(server));
  config.listen.host = host;
  config.listen.insecure = insecure;
  const auto number = read_port(port);
  if (!number) return wrong_usage("", number.error().message);
  config.listen.port = *number;
  return serve_with(std::move(config), log, "", true);
}

int run_connect(const Words& words) {
  Options options("connect <url> [options]",
                  "Brings a server at a URL to stdin and stdout, for clients that start one.", connect_examples);
  auto rest = words;
  const auto url = take_url(rest);
  UrlOptions at;
  LogOptions log;
  add_url_options(options, at);
  add_log_options(options, log);
  if (const auto done = options.parse(rest.own)) return *done;
  if (url.empty() || !rest.child.empty()) {
    return wrong_usage("connect", "name the URL of a server, as in fairlead connect https://example.com/mcp");
  }
  const auto http = choose_http(at);
  if (!http) return wrong_usage("connect", http.error().message);
  gateway::ServerConfig server{.name = "remote"};
  server.url = url;
  for (const auto& header : http->headers) server.headers.emplace(header.name, header.value);
  if (!at.bearer.empty()) server.headers.emplace("Authorization", "Bearer " + at.bearer);
  server.cacert = at.ca_file;
  server.cert = at.certificate_file;
  server.key = at.key_file;
  gateway::GatewayConfig config;
  config.servers.push_back(std::move(server));
  config.listen.http = false;
  config.listen.stdio = true;
  return serve_with(std::move(config), log, "connect", false);
}

}  // namespace fairlead::cli
