#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "cli/builtin_config.hpp"
#include "cli/commands.hpp"
#include "cli/listen_overrides.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/run_gateway.hpp"
#include "cli/servers_file.hpp"
#include "gateway/config/load.hpp"
#include "gateway/config/show_config.hpp"

namespace fairlead::cli {
namespace {

constexpr auto serve_examples = R"(  fairlead serve
  fairlead serve -c servers.json
  fairlead serve -c chain.yaml --watch --port 9000
  fairlead serve --host 0.0.0.0 --keys keys.txt --tls-cert cert.pem --tls-key key.pem
  fairlead serve --stdio
  fairlead serve -c ~/.cursor/mcp.json --show-config)";

struct ServeOptions {
  std::vector<std::string> files = {};
  ListenOverrides listen = {};
  LogOptions log = {};
  std::string directory = {};
  std::vector<std::string> server_command = {};
  bool built_in = false, watch = false, show = false, no_defaults = false;
};

/// Sets the working directory of commands that have none.
void run_in(const std::string& directory, gateway::LoadedConfig& loaded) {
  for (auto& server : loaded.config.servers) {
    if (directory.empty() || server.command.empty() || !server.cwd.empty()) continue;
    server.cwd = directory;
    loaded.sources.set(config::below(config::below("servers", server.name), "cwd"), {});
  }
}

/// Loads the files; the command line overrides them.
Result<gateway::LoadedConfig> load(const ServeOptions& flags) {
  const std::vector documents{config::Document{"built-in configuration", flags.built_in ? builtin_config() : ""}};
  auto loaded = flags.built_in ? gateway::read_config(documents) : gateway::load_config(flags.files);
  if (!loaded) return loaded;
  if (auto applied = apply_listen_overrides(flags.listen, *loaded); !applied) {
    return fail(ErrorKind::invalid, "fairlead serve: " + applied.error().message);
  }
  run_in(flags.directory, *loaded);
  if (auto checked = gateway::validate_config(*loaded); !checked) return std::unexpected(std::move(checked.error()));
  return loaded;
}

std::string extra_banner(const std::string& mcp_url) {
  return fmt::format(
      "Try it:\n  {}\n\nThis is the built-in configuration (--host and --port override it):\n\n{}\n"
      "Create your own with fairlead add <name> -- <command...>. Press Ctrl-C to stop.",
      curl_example(mcp_url), builtin_config());
}

/// Selects the default configuration file, or the built-in configuration if there is none.
void choose_default_files(ServeOptions& flags) {
  auto own = resolve_config_files({});
  flags.built_in = !own;
  if (own) flags.files = *std::move(own);
}

int serve_usage_error(const std::string& why) {
  print_stderr(why);
  return exit_code::usage;
}

/// What is wrong with the command line; empty if nothing is.
std::string serve_usage_problem(const ServeOptions& flags) {
  if (!flags.server_command.empty())
    return "takes no server command after --; use fairlead -- <command...>, or fairlead add";
  if (!flags.directory.empty() && !std::filesystem::is_directory(flags.directory))
    return "--cwd: no such directory: " + flags.directory;
  return flags.built_in && !flags.files.empty() ? "give -c or --built-in, not both" : "";
}

int run_serve(ServeOptions flags) {
  if (const auto wrong = serve_usage_problem(flags); !wrong.empty())
    return serve_usage_error("fairlead serve: " + wrong);
  if (flags.files.empty() && !flags.built_in) choose_default_files(flags);
  auto loaded = load(flags);
  if (!loaded) return serve_usage_error(loaded.error().message);
  for (const auto& warning : loaded->warnings) print_stderr(warning);
  if (flags.show) return print(gateway::show_config(*loaded, !flags.no_defaults));
  flags.log.files = flags.files;
  auto decision = resolve_debug(flags.log);
  if (!decision) return serve_usage_error("fairlead serve: " + decision.error().message);
  gateway::AppOptions app{.config = std::move(loaded->config), .warn_without_servers = true};
  app.reload = [flags]() -> Result<gateway::GatewayConfig> {
    auto again = load(flags);
    if (!again) return std::unexpected(std::move(again.error()));
    return std::move(again->config);
  };
  if (flags.watch) app.watched_files = flags.files;
  return run_gateway(std::move(app), *decision, true, flags.built_in ? ExtraBanner(extra_banner) : nullptr);
}

}  // namespace

RunCommand declare_serve(Options& options) {
  auto flags = std::make_shared<ServeOptions>();
  options.describe(
      "serve [-c <file>]... [options]",
      "Serves the configured servers: all together at /mcp and each at /s/<name>/mcp. Without -c: those that\n"
      "fairlead add configured, or a demo server if there are none.",
      serve_examples);
  options.repeatable("-c,--config", flags->files,
                     "a YAML or JSON file, or a configuration file of Claude, Cursor or VS Code", "<file>");
  add_listen_options(options, flags->listen);
  options.text("--cwd", flags->directory, "the working directory of servers that do not set one", "<directory>");
  options.flag("--built-in", flags->built_in, "serve the demo server, even if servers are configured");
  options.flag("--watch", flags->watch, "reload the files when they change; SIGHUP reloads once");
  options.flag("--show-config", flags->show,
               "print the effective configuration with the source of each value, secrets masked, and exit");
  options.flag("--no-defaults", flags->no_defaults, "with --show-config: omit default values");
  options.optional_value("--debug", flags->log.debug, "log every step to stderr; --debug=<file> also to a file");
  options.server_command(flags->server_command);
  return [flags] { return run_serve(*flags); };
}

}  // namespace fairlead::cli
