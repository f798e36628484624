#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "cli/built_in.hpp"
#include "cli/commands.hpp"
#include "cli/listening.hpp"
#include "cli/log_options.hpp"
#include "cli/output.hpp"
#include "cli/servers_file.hpp"
#include "cli/serving.hpp"
#include "gateway/config/load.hpp"
#include "gateway/config/show.hpp"

namespace fairlead::cli {
namespace {

constexpr auto serve_examples = R"(  fairlead serve
  fairlead serve -c servers.json
  fairlead serve -c chain.yaml --watch --port 9000
  fairlead serve -c ~/.cursor/mcp.json --show-config)";

struct ServeWords {
  std::vector<std::string> files = {};
  std::string host = {}, port = {};
  bool built_in = false, watch = false, show = false;
};

/// What the command line says is stronger than what the files say.
Result<gateway::Loaded> load(const ServeWords& words) {
  const std::vector documents{gateway::Document{"built-in configuration", words.built_in ? built_in_config() : ""}};
  auto loaded = words.built_in ? gateway::read_config(documents) : gateway::load_config(words.files);
  if (!loaded) return loaded;
  auto& listen = loaded->config.listen;
  if (!words.host.empty()) listen.host = words.host;
  if (!words.port.empty()) {
    const auto port = read_port(words.port);
    if (!port) return std::unexpected(port.error());
    listen.port = *port;
  }
  if (auto checked = gateway::check_config(*loaded); !checked) return std::unexpected(std::move(checked.error()));
  return loaded;
}

std::string welcome(const std::string& mcp_url) {
  return fmt::format(
      "Call it:\n  {}\n\nThis is the built-in configuration; --host and --port are stronger:\n\n{}\n"
      "fairlead add <name> -- <command...> begins one of your own. Ctrl-C stops.",
      curl_line(mcp_url), built_in_config());
}

int refuse(const std::string& why) {
  complain(why);
  return exit_code::usage;
}

}  // namespace

int run_serve(const Words& given) {
  Options options("serve [-c <file>]... [options]",
                  "Serves the servers that files name, as one at /mcp and each at /s/<name>/mcp. Without a file: your "
                  "own that\nfairlead add writes, and where there is none, a demo.",
                  serve_examples);
  ServeWords words;
  LogOptions log;
  options.list("-c,--config", words.files, "YAML or JSON; also the files of Claude, Cursor and VS Code as they are",
               "<file>");
  options.text("-p,--port", words.port, "where to listen, whatever the file says; 0 takes any free port", "<port>");
  options.text("--host", words.host, "the address to listen on, whatever the file says", "<address>");
  options.flag("--built-in", words.built_in, "serve the demo, even where there are servers");
  options.flag("--watch", words.watch, "apply changes of the files as they happen; SIGHUP does it once");
  options.flag("--show-config", words.show,
               "print what is in force, where each value comes from, secrets masked, and exit");
  options.toggle("--debug", log.debug, "log every step");
  if (const auto done = options.parse(given.own)) return *done;
  if (!given.child.empty()) {
    return refuse("fairlead serve: a server's command is for fairlead -- <command...>, or for fairlead add");
  }
  if (words.built_in && !words.files.empty()) return refuse("fairlead serve: either -c or --built-in");
  if (words.files.empty() && !words.built_in) {
    auto own = servers_files({});
    words.built_in = !own;
    if (own) words.files = *std::move(own);
  }
  auto loaded = load(words);
  if (!loaded) return refuse(loaded.error().message);
  for (const auto& warning : loaded->warnings) complain(warning);
  if (words.show) return print(gateway::show_config(*loaded));
  auto decision = decide(log);
  if (!decision) return refuse("fairlead serve: " + decision.error().message);
  Serving serving{.config = std::move(loaded->config), .debug = std::move(*decision)};
  if (words.built_in) serving.welcome = welcome;
  serving.reload = [words]() -> Result<gateway::GatewayConfig> {
    auto again = load(words);
    if (!again) return std::unexpected(std::move(again.error()));
    return std::move(again->config);
  };
  if (words.watch) serving.watched = words.files;
  return serve(std::move(serving));
}

}  // namespace fairlead::cli
