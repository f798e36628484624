#include "cli/server_options.hpp"

#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "cli/output.hpp"

namespace fairlead::cli {
namespace {

Result<transport::ChildOptions> child_of(const ServerOptions& server, const Words& words) {
  if (words.child.empty()) {
    return fail(ErrorKind::invalid,
                "which server? Name a configured one (fairlead ls shows them), give its URL, or put its command "
                "behind --, as in: -- ./server --its-option");
  }
  transport::ChildOptions child{.command = words.child};
  child.directory = server.directory;
  auto environment = read_settings(server.environment);
  if (!environment) return std::unexpected(std::move(environment.error()));
  child.environment = *std::move(environment);
  child.on_stderr = [](std::string_view line) { complain(line); };
  if (server.framing == "content-length") child.framing.output = transport::OutputFraming::content_length;
  return child;
}

}  // namespace

void add_server_options(Options& options, ServerOptions& server) {
  options.flag("--json", server.json, "print one JSON document instead of text for people");
  options.text("--timeout", server.timeout, "how long to wait for an answer: 500ms, 30s (the default), 2m",
               "<duration>");
  options.choice("--framing", server.framing, "how messages are told apart on the server's stdin",
                 {"line", "content-length"});
  options.list("-e,--env", server.environment, "a variable for the server's environment", "<name=value>");
  options.text("--cwd", server.directory, "the folder that the server runs in", "<folder>");
  add_servers_options(options, server.log);
}

Result<std::map<std::string, std::string>> read_settings(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> read;
  for (const auto& setting : settings) {
    const auto equals = setting.find('=');
    // What is not understood may be a secret, and is not repeated.
    if (equals == std::string::npos || equals == 0) return fail(ErrorKind::invalid, "--env: write it like NAME=value");
    read[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return read;
}

Result<ServerChoice> choose_server(const ServerOptions& server, const Words& words, bool has_url) {
  auto child = has_url ? transport::ChildOptions() : child_of(server, words);
  if (!child) return std::unexpected(std::move(child.error()));
  const auto patience = read_duration(server.timeout);
  if (!patience) return fail(ErrorKind::invalid, "--timeout " + patience.error().message);
  auto debug = decide(server.log);
  if (!debug) return std::unexpected(std::move(debug.error()));
  return ServerChoice{.child = std::move(*child), .patience = *patience, .debug = std::move(*debug)};
}

}  // namespace fairlead::cli
