#include "cli/servers_command.hpp"

#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/servers_file.hpp"
#include "cli/show.hpp"

namespace fairlead::cli {

ServersCommand::ServersCommand(std::string usage, std::string summary, std::string examples)
    : name_("fairlead " + usage.substr(0, usage.find(' '))),
      options_(std::move(usage), std::move(summary), std::move(examples)) {}

void ServersCommand::add_files_option() {
  options_.list("-c,--config", files_, "which files; otherwise fairlead/servers.json in your configuration folder",
                "<file>");
}

std::optional<int> ServersCommand::parse(const std::vector<std::string>& words, const std::vector<std::string>& child) {
  options_.text("--timeout", timeout_, "how long each server may take to answer (default 10s)", "<duration>");
  options_.flag("--json", json_, "print one JSON document instead of text for people");
  if (const auto done = options_.parse(words)) return done;
  if (!child.empty()) return refuse("it works on configured servers, so nothing follows --");
  const auto deadline = read_duration(timeout_);
  if (!deadline) return refuse("--timeout " + deadline.error().message);
  deadline_ = *deadline;
  return std::nullopt;
}

std::optional<gateway::Loaded> ServersCommand::load() const {
  auto loaded = load_servers(files_);
  if (loaded) return *std::move(loaded);
  complain(fmt::format("{}: {}", name_, loaded.error().message));
  return std::nullopt;
}

int ServersCommand::refuse(std::string_view why) const {
  complain(fmt::format("{}: {}; see {} --help", name_, why, name_));
  return exit_code::usage;
}

int ServersCommand::unreachable(std::string_view server, std::string_view why) const {
  complain(fmt::format("{}: {} does not answer: {}", name_, server, for_terminal(why)));
  return exit_code::unreachable;
}

}  // namespace fairlead::cli
