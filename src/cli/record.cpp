#include <fairlead/gateway/record.hpp>

#include <utility>

#include "cli/bridge_options.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_gateway.hpp"
#include "gateway/config/load.hpp"
#include "gateway/model/config_secrets.hpp"

namespace fairlead::cli {
namespace {

constexpr auto record_examples = R"(  fairlead record -o s.mcpl -- npx -y @modelcontextprotocol/server-everything
  fairlead record -o s.mcpl --stdio -- ./my-server --its-option
  fairlead record -o s.mcpl https://example.com/mcp --bearer "$TOKEN"
  fairlead record -o s.mcpl 'http://:8000 | timeout(30s) | stdio:./my-server')";

struct RecordCommandOptions {
  gateway::RecordOptions file = {};
  BridgeOptions bridge = {};
};

// Used before the chain and before each server; all instances write to one file.
gateway::Registry::Entry record_step(gateway::RecordOptions options) {
  auto make = [options, places = std::make_shared<gateway::RecorderFactory>()](
                  gateway::MiddlewareArguments& arguments,
                  EventLoop loop) -> Result<std::unique_ptr<gateway::Middleware>> {
    const auto hop = arguments.text("hop").value_or(options.hop);
    if (!*places) {
      auto opened = gateway::recorder_factory(options, std::move(loop));
      if (!opened) return std::unexpected(std::move(opened.error()));
      *places = std::move(*opened);
    }
    return (*places)(hop);
  };
  return {.usage = "record(hop=front)", .summary = "Records all messages to a file.", .make = std::move(make)};
}

int serve_and_record(gateway::GatewayConfig config, gateway::RecordOptions options, const LogOptions& log) {
  auto decision = resolve_debug(log);
  if (!decision) return usage_error("record", decision.error().message);
  options.secrets = gateway::known_secrets(config);
  const bool on_stdio = config.listen.stdio;
  gateway::AppOptions app{.config = std::move(config)};
  if (on_stdio) app.config.log.level = LogLevel::warning;
  app.config.chain.insert(app.config.chain.begin(), {.name = "record"});
  for (auto& server : app.config.servers) {
    server.chain.push_back({.name = "record", .arguments = {{"hop", server.name}}});
  }
  app.registry.add("record", record_step(std::move(options)));
  return run_gateway(std::move(app), *decision, !on_stdio);
}

int record_pipe(const std::string& line, gateway::RecordOptions options, const LogOptions& log) {
  auto loaded = gateway::read_pipe(line);
  if (!loaded) return usage_error("record", loaded.error().message);
  for (const auto& warning : loaded->warnings) print_stderr(warning);
  return serve_and_record(std::move(loaded->config), std::move(options), log);
}

int run_record(RecordCommandOptions flags) {
  if (flags.file.path.empty()) return usage_error("record", "give the file to write, as in -o s.mcpl");
  const auto& bridge = flags.bridge;
  const bool has_server = bridge.server.is_set();
  if (!bridge.chain.empty() && !has_server) return record_pipe(bridge.chain, std::move(flags.file), bridge.log);
  if (!bridge.chain.empty() || !has_server) {
    return usage_error("record",
                       "give one server: its configured name, its URL, its command after --, or a chain in quotes");
  }
  auto config = make_bridge_config(bridge);
  if (!config) return usage_error("record", config.error().message);
  if (bridge.server.command.empty() && bridge.listen.port.empty()) listen_on_stdio(config->listen);
  return serve_and_record(*std::move(config), std::move(flags.file), bridge.log);
}

}  // namespace

RunCommand declare_record(Options& options) {
  auto flags = std::make_shared<RecordCommandOptions>();
  options.describe(
      "record -o <file> [options] <name> | <url> | '<chain>' | -- <command...>",
      "Serves a server over HTTP, SSE and WebSocket, or on stdin and stdout, and records the session to a file "
      "with\n"
      "secrets redacted. A server at a URL or a configured one is served on stdin and stdout unless --port is\n"
      "given.",
      record_examples);
  options.text("-o,--output", flags->file.path, "the file to write; readable by its owner only", "<file>");
  options.flag("--force", flags->file.force, "overwrite an existing file");
  options.repeatable("--hide", flags->file.keys, "a member whose values are redacted, besides the default ones",
                     "<name>");
  add_bridge_options(options, flags->bridge);
  add_config_options(options, flags->bridge.log);
  add_server_or_chain_argument(options, flags->bridge);
  return [flags] { return run_record(*flags); };
}

}  // namespace fairlead::cli
