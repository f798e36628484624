#pragma once

#include "cli/options.hpp"
#include "gateway/config/config.hpp"

namespace fairlead::cli {

/// The server given on the command line: a configured one, a URL, or a command after `--`. At most one member is set.
struct ChosenServer {
  std::optional<gateway::ServerConfig> configured = {};
  std::string url = {};
  std::vector<std::string> command = {};

  bool is_set() const { return configured || !url.empty() || !command.empty(); }
};

/// Finds the server in the arguments and removes it from `args`; call it before the rest is parsed. Without a URL and a
/// server command, this is the first positional argument that names a configured server. Reads the files given with
/// `-c`, which `options` must declare.
///
/// If a name is similar to that of a server, or the configuration is invalid: prints a usage error, with or without a
/// hint to the help page, and returns its exit code.
std::optional<int> take_server(Args& args, const Options& options, ChosenServer& into, bool hint = true);

/// Declares that the command takes a server, by take_server before the rest is parsed.
void add_server_argument(Options& options, ChosenServer& server, bool hint = true);

}  // namespace fairlead::cli
