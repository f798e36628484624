#include "cli/servers_command.hpp"

#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/servers_file.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {

ServersCommand::ServersCommand(std::string usage, std::string summary, std::string examples)
    : name_("fairlead " + usage.substr(0, usage.find(' '))),
      options_(std::move(usage), std::move(summary), std::move(examples)) {}

void ServersCommand::add_files_option() {
  options_.repeatable("-c,--config", files_,
                      "a configuration file (default: fairlead/servers.json in your configuration directory)",
                      "<file>");
}

std::optional<int> ServersCommand::parse(const std::vector<std::string>& own,
                                         const std::vector<std::string>& server_command) {
  options_.text("--timeout", timeout_, "how long each server may take to respond (default 10s)", "<duration>");
  options_.flag("--json", json_, "print one JSON document instead of text");
  if (const auto done = options_.parse(own)) return done;
  if (!server_command.empty()) return usage_error("works on configured servers and takes no server command after --");
  const auto deadline = read_duration(timeout_);
  if (!deadline) return usage_error("--timeout " + deadline.error().message);
  deadline_ = *deadline;
  return std::nullopt;
}

std::optional<gateway::LoadedConfig> ServersCommand::load() const {
  auto loaded = load_servers(files_);
  if (loaded) return *std::move(loaded);
  print_stderr(fmt::format("{}: {}", name_, loaded.error().message));
  return std::nullopt;
}

int ServersCommand::usage_error(std::string_view why) const {
  print_stderr(fmt::format("{}: {}; see {} --help", name_, why, name_));
  return exit_code::usage;
}

int ServersCommand::report_unreachable(std::string_view server, std::string_view why) const {
  print_stderr(fmt::format("{}: {} does not respond: {}", name_, server, escape_for_terminal(why)));
  return exit_code::unreachable;
}

}  // namespace fairlead::cli
