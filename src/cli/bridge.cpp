#include <fmt/format.h>
#include <utility>

#include "cli/bridge_options.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/named_server.hpp"
#include "cli/output.hpp"
#include "cli/run_gateway.hpp"
#include "gateway/config/load.hpp"

namespace fairlead::cli {
namespace {

constexpr auto bridge_examples = R"(  fairlead -- npx -y @modelcontextprotocol/server-everything
  fairlead --port 9000 -e TOKEN=abc --cwd /srv -- ./my-server --its-option
  fairlead --port 9000 https://example.com/mcp --bearer "$TOKEN"
  fairlead key ann --keys keys.txt
  fairlead --host 0.0.0.0 --keys keys.txt --tls-cert cert.pem --tls-key key.pem -- ./my-server
  fairlead 'http://:8000 | timeout(30s) | stdio:npx -y @modelcontextprotocol/server-memory')";

constexpr auto connect_examples = R"(  fairlead connect https://example.com/mcp
  fairlead connect https://example.com/mcp -H 'X-Team: blue' --bearer "$TOKEN"
  fairlead connect ws://127.0.0.1:8080/ws
  fairlead connect memory
  fairlead connect -e TOKEN=abc -- ./my-server)";

int bridge_usage_error(std::string_view command, std::string_view why) {
  print_stderr(fmt::format("fairlead{}{}: {}", command.empty() ? "" : " ", command, why));
  return exit_code::usage;
}

int serve_with(gateway::GatewayConfig config, const LogOptions& log, std::string_view command, bool show_banner) {
  auto decision = resolve_debug(log);
  if (!decision) return bridge_usage_error(command, decision.error().message);
  if (!show_banner) config.log.level = LogLevel::warning;
  const bool starts_one = show_banner && config.servers.size() == 1 && config.servers.front().url.empty();
  GatewayRun run{.app = {.config = std::move(config)}, .debug = std::move(*decision), .show_banner = show_banner};
  run.app.exit_if_server_dies = starts_one && !run.app.config.servers.front().disabled;
  return run_gateway(std::move(run));
}

int run_pipe(const std::string& line, const LogOptions& log) {
  auto loaded = gateway::read_pipe(line);
  if (!loaded) return bridge_usage_error("", loaded.error().message);
  for (const auto& warning : loaded->warnings) print_stderr(warning);
  const bool on_stdio = loaded->config.listen.stdio;
  return serve_with(std::move(loaded->config), log, "", !on_stdio);
}

}  // namespace

int run_bridge(const Args& args) {
  Options options("[options] <name> | <url> | '<chain>' | -- <command...>",
                  "Serves a server over HTTP, SSE and WebSocket in every MCP revision: a command that uses stdin\n"
                  "and stdout, a server at a URL, or a configured server.",
                  bridge_examples);
  std::string other;
  BridgeOptions bridge;
  UrlOptions at;
  LogOptions log;
  add_bridge_options(options, bridge);
  add_url_options(options, at);
  options.positional("chain", other, "a chain in one argument, instead of a server", false);
  add_config_options(options, log);
  auto rest = args;
  const auto pipe = extract_pipe(rest);
  const auto chosen = extract_server(rest, options);
  if (!chosen) return bridge_usage_error("", chosen.error().message + "; see fairlead --help");
  if (const auto done = options.parse(rest.own)) return *done;
  const auto& line = pipe.empty() ? other : pipe;
  if (!line.empty() && !chosen->is_set()) return run_pipe(line, log);
  if (!line.empty() || !chosen->is_set()) {
    return bridge_usage_error("",
                              "give one server: its command after --, its URL, its configured name, or a chain in "
                              "quotes; see fairlead --help");
  }
  auto server = make_server_config(*chosen, bridge, at);
  if (!server) return bridge_usage_error("", server.error().message + "; see fairlead --help");
  auto config = bridge_to(*std::move(server), bridge.listen);
  if (!config) return bridge_usage_error("", config.error().message + "; see fairlead --help");
  const bool on_stdio = config->listen.stdio;
  return serve_with(*std::move(config), log, "", !on_stdio);
}

int run_connect(const Args& args) {
  Options options(
      "connect [options] <name> | <url> | -- <command...>",
      "Connects stdin and stdout to a server at a URL or to a configured one, for clients that start their servers.",
      connect_examples);
  auto rest = args;
  BridgeOptions bridge;
  UrlOptions at;
  LogOptions log;
  add_start_options(options, bridge);
  add_url_options(options, at);
  add_config_options(options, log);
  const auto chosen = extract_server(rest, options);
  if (!chosen) return bridge_usage_error("connect", chosen.error().message);
  if (!chosen->is_set() && !rest.own.empty() && !rest.own.front().starts_with('-')) {
    return bridge_usage_error(
        "connect",
        fmt::format("'{0}' is neither a URL nor a configured server; for a URL write https://{0}", rest.own.front()));
  }
  if (const auto done = options.parse(rest.own)) return *done;
  if (!chosen->is_set()) {
    return bridge_usage_error("connect",
                              "give one server: a URL, as in fairlead connect https://example.com/mcp, the name of "
                              "a configured server, or a command after --");
  }
  auto server = make_server_config(*chosen, bridge, at);
  if (!server) return bridge_usage_error("connect", server.error().message);
  gateway::GatewayConfig config;
  config.servers.push_back(*std::move(server));
  listen_on_stdio(config.listen);
  return serve_with(std::move(config), log, "connect", false);
}

}  // namespace fairlead::cli
