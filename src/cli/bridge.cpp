#include <fmt/format.h>
#include <utility>

#include "cli/bridge_words.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
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
  if (!server) return wrong_usage("", server.error().message);
  gateway::GatewayConfig config;
  config.servers.push_back(*std::move(server));
  if (const auto told = listen_as_told(bridge, config.listen); !told) return wrong_usage("", told.error().message);
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
  auto server = remote_server(url, at);
  if (!server) return wrong_usage("connect", server.error().message);
  gateway::GatewayConfig config;
  config.servers.push_back(*std::move(server));
  listen_on_stdio(config.listen);
  return serve_with(std::move(config), log, "connect", false);
}

}  // namespace fairlead::cli
