#include <fairlead/gateway/record.hpp>

#include <fmt/format.h>
#include <memory>
#include <utility>

#include "cli/bridge_options.hpp"
#include "cli/commands.hpp"
#include "cli/log_options.hpp"
#include "cli/named_server.hpp"
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

int record_usage_error(std::string_view why) {
  print_stderr(fmt::format("fairlead record: {}; see fairlead record --help", why));
  return exit_code::usage;
}

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
  if (!decision) return record_usage_error(decision.error().message);
  options.secrets = gateway::known_secrets(config);
  GatewayRun run{.app = {.config = std::move(config)}, .debug = std::move(*decision)};
  auto& app = run.app;
  run.show_banner = !app.config.listen.stdio;
  if (!run.show_banner) app.config.log.level = LogLevel::warning;
  app.config.chain.insert(app.config.chain.begin(), {.name = "record"});
  for (auto& server : app.config.servers) {
    server.chain.push_back({.name = "record", .arguments = {{"hop", server.name}}});
  }
  app.registry.add("record", record_step(std::move(options)));
  return run_gateway(std::move(run));
}

int record_pipe(const std::string& line, gateway::RecordOptions options, const LogOptions& log) {
  auto loaded = gateway::read_pipe(line);
  if (!loaded) return record_usage_error(loaded.error().message);
  for (const auto& warning : loaded->warnings) print_stderr(warning);
  return serve_and_record(std::move(loaded->config), std::move(options), log);
}

}  // namespace

int run_record(const Args& args) {
  Options options(
      "record -o <file> [options] <name> | <url> | '<chain>' | -- <command...>",
      "Serves a server over HTTP, SSE and WebSocket, or on stdin and stdout, and records the session to a file with\n"
      "secrets redacted. A server at a URL or a configured one is served on stdin and stdout unless --port is\n"
      "given.",
      record_examples);
  auto rest = args;
  const auto pipe = extract_pipe(rest);
  gateway::RecordOptions file;
  BridgeOptions bridge;
  UrlOptions at;
  LogOptions log;
  options.text("-o,--output", file.path, "the file to write; readable by its owner only", "<file>");
  options.flag("--force", file.force, "overwrite an existing file");
  options.repeatable("--hide", file.keys, "a member whose values are redacted, besides the default ones", "<name>");
  add_bridge_options(options, bridge);
  add_url_options(options, at);
  add_config_options(options, log);
  const auto chosen = extract_server(rest, options);
  if (!chosen) return record_usage_error(chosen.error().message);
  if (const auto done = options.parse(rest.own)) return *done;
  if (file.path.empty()) return record_usage_error("give the file to write, as in -o s.mcpl");
  if (!pipe.empty() && !chosen->is_set()) return record_pipe(pipe, std::move(file), log);
  if (!pipe.empty() || !chosen->is_set()) {
    return record_usage_error(
        "give one server: its configured name, its URL, its command after --, or a chain in quotes");
  }
  auto server = make_server_config(*chosen, bridge, at);
  if (!server) return record_usage_error(server.error().message);
  auto config = bridge_to(*std::move(server), bridge.listen);
  if (!config) return record_usage_error(config.error().message);
  if (chosen->command.empty() && bridge.listen.port.empty()) listen_on_stdio(config->listen);
  return serve_and_record(*std::move(config), std::move(file), log);
}

}  // namespace fairlead::cli
