#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "cli/built_in.hpp"
#include "cli/commands.hpp"
#include "cli/listen_words.hpp"
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
  fairlead serve --host 0.0.0.0 --keys keys.txt --tls-cert cert.pem --tls-key key.pem
  fairlead serve --stdio
  fairlead serve -c ~/.cursor/mcp.json --show-config)";

struct ServeWords {
  std::vector<std::string> files = {};
  ListenWords listen = {};
  std::string directory = {};
  bool built_in = false, watch = false, show = false, no_defaults = false;
};

/// Commands that say nothing else run in this folder.
void run_in(const std::string& folder, gateway::Loaded& loaded) {
  for (auto& server : loaded.config.servers) {
    if (folder.empty() || server.command.empty() || !server.cwd.empty()) continue;
    server.cwd = folder;
    loaded.sources.set(gateway::below(gateway::below("servers", server.name), "cwd"), {});
  }
}

/// What the command line says is stronger than what the files say.
Result<gateway::Loaded> load(const ServeWords& words) {
  const std::vector documents{gateway::Document{"built-in configuration", words.built_in ? built_in_config() : ""}};
  auto loaded = words.built_in ? gateway::read_config(documents) : gateway::load_config(words.files);
  if (!loaded) return loaded;
  if (auto told = listen_as_told(words.listen, *loaded); !told) {
    return fail(ErrorKind::invalid, "fairlead serve: " + told.error().message);
  }
  run_in(words.directory, *loaded);
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
  add_listen_options(options, words.listen);
  options.text("--cwd", words.directory, "the folder for servers whose entries name none", "<folder>");
  options.flag("--built-in", words.built_in, "serve the demo, even where there are servers");
  options.flag("--watch", words.watch, "apply changes of the files as they happen; SIGHUP does it once");
  options.flag("--show-config", words.show,
               "print what is in force, where each value comes from, secrets masked, and exit");
  options.flag("--no-defaults", words.no_defaults, "with --show-config: leave out what is set nowhere");
  options.toggle("--debug", log.debug, "log every step on stderr; --debug=<file> to a file as well");
  if (const auto done = options.parse(given.own)) return *done;
  if (!given.child.empty()) {
    return refuse("fairlead serve: a server's command is for fairlead -- <command...>, or for fairlead add");
  }
  if (!words.directory.empty() && !std::filesystem::is_directory(words.directory)) {
    return refuse("fairlead serve: --cwd: there is no folder " + words.directory);
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
  if (words.show) return print(gateway::show_config(*loaded, !words.no_defaults));
  log.files = words.files;
  auto decision = decide(log);
  if (!decision) return refuse("fairlead serve: " + decision.error().message);
  Serving serving{.config = std::move(loaded->config), .debug = std::move(*decision), .expects_servers = true};
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
