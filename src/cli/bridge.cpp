#include <fairlead/auth/sign_in.hpp>
#include <fmt/format.h>
#include <utility>

#include "auth/client/open_browser.hpp"
#include "cli/bridge_options.hpp"
#include "cli/commands.hpp"
#include "cli/credentials.hpp"
#include "cli/output.hpp"
#include "cli/run_gateway.hpp"
#include "cli/to_text.hpp"
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

int serve_with(gateway::GatewayConfig config, const LogOptions& log, std::string_view command,
               gateway::CredentialOptions credentials = {}) {
  auto decision = resolve_debug(log);
  if (!decision) return report_error(command, decision.error().message, exit_code::usage);
  const bool show_banner = !config.listen.stdio;
  if (!show_banner) config.log.level = LogLevel::warning;
  const bool starts_one = show_banner && config.servers.size() == 1 && config.servers.front().url.empty();
  gateway::AppOptions app{.config = std::move(config)};
  app.credentials = std::move(credentials);
  app.exit_if_server_dies = starts_one && !app.config.servers.front().disabled;
  return run_gateway(std::move(app), *decision, show_banner);
}

int run_pipe(const std::string& line, const LogOptions& log) {
  auto loaded = gateway::read_pipe(line);
  if (!loaded) return report_error("", loaded.error().message, exit_code::usage);
  for (const auto& warning : loaded->warnings) print_stderr(warning);
  return serve_with(std::move(loaded->config), log, "");
}

struct BridgeCommandOptions {
  BridgeOptions bridge = {};
  std::string other = {};  ///< A positional argument that is neither a server nor a chain.
};

int run_bridge(BridgeCommandOptions flags) {
  const auto& bridge = flags.bridge;
  const auto& line = bridge.chain.empty() ? flags.other : bridge.chain;
  if (!line.empty() && !bridge.server.is_set()) return run_pipe(line, bridge.log);
  if (!line.empty() || !bridge.server.is_set()) {
    return usage_error("", "give one server: its command after --, its URL, its configured name, or a chain in quotes");
  }
  auto config = make_bridge_config(bridge);
  return config ? serve_with(*std::move(config), bridge.log, "") : usage_error("", config.error().message);
}

int connect_error(std::string_view why) {
  return report_error("connect", why, exit_code::usage);
}

std::optional<int> take_connect_server(Args& args, const Options& options, ChosenServer& into) {
  if (const auto wrong = take_server(args, options, into, false)) return wrong;
  if (into.is_set() || args.own.empty() || args.own.front().starts_with('-')) return std::nullopt;
  return connect_error(
      fmt::format("'{0}' is neither a URL nor a configured server; for a URL write https://{0}", args.own.front()));
}

/// Signs in with a browser if the server requires it and there is no login yet: before the gateway starts, because
/// users need more time than a server has for its start. Never reads stdin, which belongs to MCP. Returns how to sign
/// in later.
std::shared_ptr<auth::SignIn> sign_in_before_start(const gateway::ServerConfig& server) {
  const ChosenServer chosen{.configured = server};
  const auto options = sign_in_options(chosen, {});
  const bool uses_device_code = options && options->grant == auth::Grant::device;
  if (!options || (!uses_device_code && !auth::can_open_browser())) return sign_in_by_command();
  ProgramLog log({}, LogLevel::warning);
  const auto browser = browser_options(chosen);
  if (!requires_sign_in(server, *options, log)) return auth::browser_sign_in(browser);
  const auto login = sign_in_with_browser(*options, browser, log);
  if (login) return auth::browser_sign_in(browser);
  connect_error(escape_for_terminal(login.error().message));
  return sign_in_by_command();
}

struct ConnectOptions {
  BridgeOptions bridge = {};
  bool device = false;  ///< Sign in with a code on another device.
};

int run_connect(const ConnectOptions& flags) {
  const auto& bridge = flags.bridge;
  if (!bridge.server.is_set()) {
    return connect_error(
        "give one server: a URL, as in fairlead connect https://example.com/mcp, the name of "
        "a configured server, or a command after --");
  }
  auto server = make_server_config(bridge);
  if (!server) return connect_error(server.error().message);
  if (flags.device) {
    if (!may_sign_in(*server)) return connect_error("--device is for servers at a URL without a key");
    if (!server->auth.oauth) server->auth.oauth.emplace();
    server->auth.oauth->grant = auth::Grant::device;
  }
  auto credentials = gateway_credentials(sign_in_before_start(*server));
  gateway::GatewayConfig config;
  config.servers.push_back(*std::move(server));
  listen_on_stdio(config.listen);
  return serve_with(std::move(config), bridge.log, "connect", std::move(credentials));
}

}  // namespace

RunCommand declare_bridge(Options& options) {
  auto flags = std::make_shared<BridgeCommandOptions>();
  options.describe("[options] <name> | <url> | '<chain>' | -- <command...>",
                   "Serves a server over HTTP, SSE and WebSocket in every MCP revision: a command that uses stdin\n"
                   "and stdout, a server at a URL, or a configured server.",
                   bridge_examples);
  add_bridge_options(options, flags->bridge);
  options.positional("chain", flags->other, "a chain in one argument, instead of a server", false);
  add_config_options(options, flags->bridge.log);
  add_server_or_chain_argument(options, flags->bridge);
  return [flags] { return run_bridge(*flags); };
}

RunCommand declare_connect(Options& options) {
  auto flags = std::make_shared<ConnectOptions>();
  auto& bridge = flags->bridge;
  options.describe("connect [options] <name> | <url> | -- <command...>",
                   "Connects stdin and stdout to a server at a URL or to a configured one, for "
                   "clients that start their servers.",
                   connect_examples);
  add_start_options(options, bridge);
  add_url_options(options, bridge.at);
  options.flag("--device", flags->device, "sign in with a code on another device if the server requires OAuth");
  add_config_options(options, bridge.log);
  options.before_parsing(
      [&options, flags](Args& args) { return take_connect_server(args, options, flags->bridge.server); });
  return [flags] { return run_connect(*flags); };
}

}  // namespace fairlead::cli
