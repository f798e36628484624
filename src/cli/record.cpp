#include <fairlead/gateway/record.hpp>

#include <fmt/format.h>
#include <memory>
#include <utility>

#include "cli/bridge_words.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/named_server.hpp"
#include "cli/output.hpp"
#include "cli/serving.hpp"
#include "gateway/config/load.hpp"
#include "gateway/known_secrets.hpp"

namespace fairlead::cli {
namespace {

constexpr auto record_examples = R"(  fairlead record -o s.mcpl -- npx -y @modelcontextprotocol/server-everything
  fairlead record -o s.mcpl --stdio -- ./my-server --its-option
  fairlead record -o s.mcpl https://example.com/mcp --bearer "$TOKEN"
  fairlead record -o s.mcpl 'http://:8000 | timeout(30s) | stdio:./my-server')";

int record_refuses(std::string_view why) {
  complain(fmt::format("fairlead record: {}; see fairlead record --help", why));
  return exit_code::usage;
}

// At the front and before each server, into one file.
gateway::Registry::Entry record_step(gateway::RecordOptions options) {
  auto make = [options, places = std::make_shared<gateway::RecordPlaces>()](
                  gateway::Arguments& arguments, Loop loop) -> Result<std::unique_ptr<gateway::Middleware>> {
    const auto hop = arguments.text("hop").value_or(options.hop);
    if (!*places) {
      auto opened = gateway::record_places(options, std::move(loop));
      if (!opened) return std::unexpected(std::move(opened.error()));
      *places = std::move(*opened);
    }
    return (*places)(hop);
  };
  return {.usage = "record(hop=front)", .summary = "Writes all that passes into a file.", .make = std::move(make)};
}

int serve_recorded(gateway::GatewayConfig config, gateway::RecordOptions options, const LogOptions& log) {
  auto decision = decide(log);
  if (!decision) return record_refuses(decision.error().message);
  options.secrets = gateway::known_secrets(config);
  Serving serving{.config = std::move(config), .debug = std::move(*decision)};
  serving.announce = !serving.config.listen.stdio;
  if (!serving.announce) serving.config.log.level = LogLevel::warning;
  serving.config.chain.insert(serving.config.chain.begin(), {.name = "record"});
  for (auto& server : serving.config.servers) {
    server.chain.push_back({.name = "record", .arguments = {{"hop", server.name}}});
  }
  serving.registry.add("record", record_step(std::move(options)));
  return serve(std::move(serving));
}

int record_pipe(const std::string& line, gateway::RecordOptions options, const LogOptions& log) {
  auto loaded = gateway::read_pipe(line);
  if (!loaded) return record_refuses(loaded.error().message);
  for (const auto& warning : loaded->warnings) complain(warning);
  return serve_recorded(std::move(loaded->config), std::move(options), log);
}

// A chain in one line begins like a URL.
std::string take_pipe(Words& words) {
  for (auto word = words.own.begin(); word != words.own.end(); ++word) {
    if (!gateway::is_pipe(*word)) continue;
    auto pipe = std::move(*word);
    words.own.erase(word);
    return pipe;
  }
  return {};
}

}  // namespace

int run_record(const Words& words) {
  Options options("record -o <file> [options] <name> | <url> | '<chain>' | -- <command...>",
                  "Puts a server on HTTP, SSE and WebSocket, or on stdin and stdout, and writes what is said into a "
                  "file, with secrets hidden. A server at a URL, or a configured one, comes to stdin and stdout unless "
                  "a port is named.",
                  record_examples);
  auto rest = words;
  const auto pipe = take_pipe(rest);
  const auto url = take_url(rest);
  gateway::RecordOptions file;
  BridgeWords bridge;
  UrlOptions at;
  LogOptions log;
  options.text("-o,--output", file.path, "the file, which only you may read", "<file>");
  options.flag("--force", file.force, "overwrite a file that is there");
  options.list("--hide", file.keys, "a name whose values are secret, besides the usual ones", "<name>");
  add_bridge_options(options, bridge);
  add_url_options(options, at);
  add_servers_options(options, log);
  Result<std::optional<gateway::ServerConfig>> named;
  if (pipe.empty() && url.empty() && rest.child.empty()) named = take_named_server(rest.own, options);
  if (!named) return record_refuses(named.error().message);
  if (const auto done = options.parse(rest.own)) return *done;
  if (file.path.empty()) return record_refuses("name the file to write, as in -o s.mcpl");
  if (!pipe.empty() && url.empty() && rest.child.empty()) return record_pipe(pipe, std::move(file), log);
  if (!pipe.empty() || (url.empty() == rest.child.empty() && !*named)) {
    return record_refuses("name one server: a configured one, its URL, its command behind --, or a chain in quotes");
  }
  auto server = *named        ? Result<gateway::ServerConfig>(**named)
                : url.empty() ? started_server(bridge, rest.child)
                              : remote_server(url, at);
  if (!server) return record_refuses(server.error().message);
  auto config = bridge_to(*std::move(server), bridge.listen);
  if (!config) return record_refuses(config.error().message);
  if (rest.child.empty() && bridge.listen.port.empty()) listen_on_stdio(config->listen);
  return serve_recorded(*std::move(config), std::move(file), log);
}

}  // namespace fairlead::cli
