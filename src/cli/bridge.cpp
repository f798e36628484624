#include <fmt/format.h>
#include <utility>

#include "cli/bridge_words.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/named_server.hpp"
#include "cli/output.hpp"
#include "cli/serving.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {
namespace {

constexpr auto bridge_examples = R"(  fairlead -- npx -y @modelcontextprotocol/server-everything
  fairlead --port 9000 -e TOKEN=abc --cwd /srv -- ./my-server --its-option
  fairlead key ann --keys keys.txt
  fairlead --host 0.0.0.0 --keys keys.txt --tls-cert cert.pem --tls-key key.pem -- ./my-server
  fairlead 'http://:8000 | timeout(30s) | stdio:npx -y @modelcontextprotocol/server-memory')";

constexpr auto connect_examples = R"(  fairlead connect https://example.com/mcp
  fairlead connect https://example.com/mcp -H 'X-Team: blue' --bearer "$TOKEN"
  fairlead connect ws://127.0.0.1:8080/ws
  fairlead connect memory)";

int wrong_usage(std::string_view command, std::string_view why) {
  complain(fmt::format("fairlead{}{}: {}", command.empty() ? "" : " ", command, why));
  return exit_code::usage;
}

int serve_with(gateway::GatewayConfig config, const LogOptions& log, std::string_view command, bool announce) {
  auto decision = decide(log);
  if (!decision) return wrong_usage(command, decision.error().message);
  if (!announce) config.log.level = LogLevel::warning;
  const bool starts_one = announce && config.servers.size() == 1 && config.servers.front().url.empty();
  Serving serving{.config = std::move(config), .debug = std::move(*decision), .announce = announce};
  serving.needs_servers = starts_one && !serving.config.servers.front().disabled;
  return serve(std::move(serving));
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
  std::string pipe;
  BridgeWords bridge;
  LogOptions log;
  add_bridge_options(options, bridge);
  options.word("pipe", pipe, "a chain in one line, instead of a command", false);
  add_log_options(options, log);
  if (const auto done = options.parse(words.own)) return *done;
  if (!pipe.empty() && words.child.empty()) return run_pipe(pipe, log);
  if (!pipe.empty() || words.child.empty()) {
    return wrong_usage("", "write the server's command behind --, or a chain in quotes; see fairlead --help");
  }
  auto server = started_server(bridge, words.child);
  if (!server) return wrong_usage("", server.error().message + "; see fairlead --help");
  auto config = bridge_to(*std::move(server), bridge.listen);
  if (!config) return wrong_usage("", config.error().message + "; see fairlead --help");
  const bool on_stdio = config->listen.stdio;
  return serve_with(*std::move(config), log, "", !on_stdio);
}

int run_connect(const Words& words) {
  Options options("connect <url> | <name> [options]",
                  "Brings a server at a URL, or a configured one, to stdin and stdout, for clients that start one.",
                  connect_examples);
  auto rest = words;
  const auto url = take_url(rest);
  UrlOptions at;
  LogOptions log;
  add_url_options(options, at);
  add_servers_options(options, log);
  auto named = url.empty() ? take_named_server(rest.own, options) : std::nullopt;
  if (!named) return wrong_usage("connect", named.error().message);
  if (!*named && url.empty() && !rest.own.empty() && !rest.own.front().starts_with('-')) {
    return wrong_usage("connect", fmt::format("'{0}' is not a URL: write https://{0}", rest.own.front()));
  }
  if (const auto done = options.parse(rest.own)) return *done;
  if (url.empty() == !*named || !rest.child.empty()) {
    return wrong_usage("connect",
                       "name the URL of a server, as in fairlead connect https://example.com/mcp, or a "
                       "configured server");
  }
  auto server = *named ? Result<gateway::ServerConfig>(**std::move(named)) : remote_server(url, at);
  if (!server) return wrong_usage("connect", server.error().message);
  gateway::GatewayConfig config;
  config.servers.push_back(*std::move(server));
  listen_on_stdio(config.listen);
  return serve_with(std::move(config), log, "connect", false);
}

}  // namespace fairlead::cli
