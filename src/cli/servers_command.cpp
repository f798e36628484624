#include "cli/servers_command.hpp"

#include <fmt/format.h>

#include "base/duration.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/servers_file.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {

void ServersCommand::add_files_option(Options& options) {
  options.repeatable("-c,--config", files_,
                     "a configuration file (default: fairlead/servers.json in your configuration directory)", "<file>");
}

void ServersCommand::add_options(Options& options) {
  name_ = options.command();
  options.text("--timeout", timeout_, "how long each server may take to respond (default 10s)", "<duration>");
  options.flag("--json", json_, "print one JSON document instead of text");
  options.after_parsing([this] { return read_timeout(); });
  options.no_server_command("works on configured servers and takes no server command after --");
}

std::optional<int> ServersCommand::read_timeout() {
  const auto deadline = read_duration(timeout_);
  if (!deadline) return usage_error("--timeout " + deadline.error().message);
  deadline_ = *deadline;
  return std::nullopt;
}

std::optional<gateway::LoadedConfig> ServersCommand::load() const {
  auto loaded = load_servers(files_);
  if (loaded) return *std::move(loaded);
  report_error(name_, loaded.error().message, exit_code::usage);
  return std::nullopt;
}

int ServersCommand::usage_error(std::string_view why) const {
  return cli::usage_error(name_, why);
}

int ServersCommand::report_unreachable(std::string_view server, std::string_view why) const {
  const auto text = fmt::format("{} does not respond: {}", server, escape_for_terminal(why));
  return report_error(name_, text, exit_code::unreachable);
}

}  // namespace fairlead::cli
