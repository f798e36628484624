#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <filesystem>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/environment_checks.hpp"
#include "cli/find_program.hpp"
#include "cli/output.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/show.hpp"
#include "cli/survey.hpp"

namespace fairlead::cli {
namespace {

constexpr auto doctor_examples = R"(  fairlead doctor
  fairlead doctor -c team.yaml
  fairlead doctor --json)";

std::string fix_for(const gateway::ServerConfig& server, const Sighting& seen) {
  if (!server.url.empty()) return "see whether the URL is right and its server runs; -H or headers may be missing";
  if (find_program(server.command.front()).empty()) {
    return fmt::format("install '{}', or write its whole path", server.command.front());
  }
  if (seen.diagnosis && seen.diagnosis->stdout_ && seen.diagnosis->advice) return *seen.diagnosis->advice;
  return fmt::format("run it by hand to see what it says: {}", unseen(server).address);
}

Finding judge(const gateway::ServerConfig& server, const Sighting& handshake, const Sighting& stateless) {
  const auto about = "server " + server.name;
  if (!handshake.answers && !stateless.answers) return {about, "bad", handshake.trouble, fix_for(server, handshake)};
  const auto& newest = stateless.answers ? stateless : handshake;
  const auto told = fmt::format("{} tools in {:.0f} ms, ", newest.tools.size(), newest.milliseconds);
  if (handshake.answers && stateless.answers) {
    return {about, "ok", fmt::format("{}both eras: {} and {}", told, handshake.revision, stateless.revision)};
  }
  return {about, "ok",
          fmt::format("{}{} only: {}; the gateway speaks for it in the other era", told,
                      stateless.answers ? "stateless" : "handshake", newest.revision)};
}

std::vector<Finding> look_at_servers(const gateway::GatewayConfig& config, Duration deadline) {
  const auto servers = enabled_servers(config);
  const auto handshake = survey(servers, {.deadline = deadline, .era = client::Era::handshake});
  const auto stateless = survey(servers, {.deadline = deadline, .era = client::Era::stateless});
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < servers.size(); ++i) findings.push_back(judge(servers[i], handshake[i], stateless[i]));
  return findings;
}

std::vector<Finding> look_at_configuration(const ServersCommand& command, std::vector<std::string> named) {
  const auto files = servers_files(std::move(named));
  if (!files) return {check_port({}), {"configuration", "note", files.error().message, "fairlead add"}};
  const auto loaded = gateway::load_config(*files);
  if (!loaded) {
    return {check_port({}), {"configuration", "bad", loaded.error().message, "fairlead check shows it line by line"}};
  }
  std::vector<Finding> findings;
  if (loaded->config.listen.http) findings.push_back(check_port(loaded->config.listen));
  findings.push_back({"configuration", "ok", counted(loaded->config.servers.size(), "server")});
  for (auto& each : look_at_servers(loaded->config, command.deadline())) findings.push_back(std::move(each));
  return findings;
}

std::string for_people(const std::vector<Finding>& findings) {
  std::string text;
  for (const auto& each : findings) {
    text += fmt::format("{:<5} {}: {}\n", each.state, for_terminal(each.about), for_terminal(each.detail));
    if (!each.fix.empty()) text += fmt::format("      fix: {}\n", for_terminal(each.fix));
  }
  return text;
}

}  // namespace

int run_doctor(const Words& words) {
  ServersCommand command("doctor [options]",
                         "Looks for what keeps servers from working here: PATH, node and uv, the port, certificates, "
                         "and each\nserver in both eras. Exit codes: 0 fine, 1 something is bad.",
                         doctor_examples);
  command.add_files_option();
  if (const auto done = command.parse(words.own, words.child)) return *done;
  std::vector<Finding> findings{check_path(), check_program("node", "needed by npx servers only: install nodejs"),
                                check_program("npx", "needed by npx servers only: install npm"),
                                check_program("uvx", "needed by uvx servers only: install uv"), check_certificates()};
  for (auto& each : look_at_configuration(command, command.files())) findings.push_back(std::move(each));
  const int printed = print(command.json() ? json::encode(findings) + "\n" : for_people(findings));
  const bool bad = std::ranges::any_of(findings, [](const Finding& each) { return each.state == "bad"; });
  return bad ? exit_code::failed : printed;
}

}  // namespace fairlead::cli
