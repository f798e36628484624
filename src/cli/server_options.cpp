#include "cli/server_options.hpp"

#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "cli/named_server.hpp"
#include "cli/output.hpp"

namespace fairlead::cli {
namespace {

Result<transport::ChildOptions> child_of(const ServerOptions& server, const ChosenServer& chosen) {
  if (chosen.configured || !chosen.url.empty()) return transport::ChildOptions();
  if (chosen.command.empty()) {
    return fail(ErrorKind::invalid,
                "no server given: add the name of a configured server (see fairlead ls), a URL, or its command "
                "after --, as in: -- ./server --its-option");
  }
  transport::ChildOptions child{.command = chosen.command};
  child.directory = server.directory;
  auto environment = read_settings(server.environment);
  if (!environment) return std::unexpected(std::move(environment.error()));
  child.environment = *std::move(environment);
  child.on_stderr = [](std::string_view line) { print_stderr(line); };
  if (server.framing == "content-length") child.framing.output = transport::OutputFraming::content_length;
  return child;
}

}  // namespace

void add_server_options(Options& options, ServerOptions& server) {
  options.flag("--json", server.json, "print one JSON document instead of text");
  options.text("--timeout", server.timeout, "how long to wait for a response: 500ms, 30s (default), 2m", "<duration>");
  options.choice("--framing", server.framing, "how messages are framed on the server's stdin",
                 {"line", "content-length"});
  options.repeatable("-e,--env", server.environment, "an environment variable for the server", "<name=value>");
  options.text("--cwd", server.directory, "the working directory of the server", "<directory>");
  add_config_options(options, server.log);
}

Result<std::map<std::string, std::string>> read_settings(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> read;
  for (const auto& setting : settings) {
    const auto equals = setting.find('=');
    // The text may be a secret: do not repeat it.
    if (equals == std::string::npos || equals == 0) return fail(ErrorKind::invalid, "--env: expected NAME=value");
    read[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return read;
}

Result<ServerSettings> resolve_server_settings(const ServerOptions& server, const ChosenServer& chosen) {
  auto child = child_of(server, chosen);
  if (!child) return std::unexpected(std::move(child.error()));
  const auto timeout = read_duration(server.timeout);
  if (!timeout) return fail(ErrorKind::invalid, "--timeout " + timeout.error().message);
  auto debug = resolve_debug(server.log);
  if (!debug) return std::unexpected(std::move(debug.error()));
  return ServerSettings{.child = std::move(*child), .timeout = *timeout, .debug = std::move(*debug)};
}

}  // namespace fairlead::cli
