#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/environment_checks.hpp"
#include "cli/find_program.hpp"
#include "cli/output.hpp"
#include "cli/server_probe.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/sign_in_checks.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto doctor_examples = R"(  fairlead doctor
  fairlead doctor -c team.yaml
  fairlead doctor --json)";

std::string suggested_fix(const gateway::ServerConfig& server, const ProbeResult& seen) {
  if (seen.needs_sign_in) return "fairlead login " + server.name;
  if (!server.url.empty()) return "check that the URL is right and its server runs; headers may be missing";
  if (find_program(server.command.front()).empty()) {
    return fmt::format("install '{}', or give its full path", server.command.front());
  }
  if (seen.diagnosis && seen.diagnosis->stdout_ && seen.diagnosis->advice) return *seen.diagnosis->advice;
  return fmt::format("run it by hand to see its output: {}", configured_only(server).address);
}

CheckResult assess_server(const gateway::ServerConfig& server, const ProbeResult& handshake,
                          const ProbeResult& stateless) {
  const auto about = "server " + server.name;
  if (!handshake.answers && !stateless.answers)
    return {about, "bad", handshake.error, suggested_fix(server, handshake)};
  const auto& newest = stateless.answers ? stateless : handshake;
  const auto summary = fmt::format("{} tools in {:.0f} ms, ", newest.tools.size(), newest.milliseconds);
  if (handshake.answers && stateless.answers) {
    return {about, "ok", fmt::format("{}both eras: {} and {}", summary, handshake.revision, stateless.revision)};
  }
  return {about, "ok",
          fmt::format("{}{} only: {}; the gateway translates for clients of the other era", summary,
                      stateless.answers ? "stateless" : "handshake", newest.revision)};
}

std::vector<CheckResult> check_servers_in_both_eras(const gateway::GatewayConfig& config, Duration deadline) {
  const auto servers = enabled_servers(config);
  const auto handshake = probe_servers(servers, {.deadline = deadline, .era = client::EraPreference::handshake});
  const auto stateless = probe_servers(servers, {.deadline = deadline, .era = client::EraPreference::stateless});
  std::vector<CheckResult> findings;
  std::vector<gateway::ServerConfig> silent;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    findings.push_back(assess_server(servers[i], handshake[i], stateless[i]));
    if (findings.back().state == "bad") silent.push_back(servers[i]);
  }
  for (auto& each : check_sign_in(silent)) findings.push_back(std::move(each));
  return findings;
}

std::vector<CheckResult> check_configuration(const ServersCommand& command, std::vector<std::string> named) {
  const auto files = resolve_config_files(std::move(named));
  if (!files) return {check_port({}), {"configuration", "note", files.error().message, "fairlead add"}};
  const auto loaded = gateway::load_config(*files);
  if (!loaded) {
    return {check_port({}), {"configuration", "bad", loaded.error().message, "fairlead check lists the errors"}};
  }
  std::vector<CheckResult> findings;
  if (loaded->config.listen.http) findings.push_back(check_port(loaded->config.listen));
  findings.push_back({"configuration", "ok", pluralize(loaded->config.servers.size(), "server")});
  for (auto& each : check_servers_in_both_eras(loaded->config, command.deadline())) findings.push_back(std::move(each));
  return findings;
}

std::string as_text(const std::vector<CheckResult>& findings) {
  std::string text;
  for (const auto& each : findings) {
    text +=
        fmt::format("{:<5} {}: {}\n", each.state, escape_for_terminal(each.about), escape_for_terminal(each.detail));
    if (!each.fix.empty()) text += fmt::format("      fix: {}\n", escape_for_terminal(each.fix));
  }
  return text;
}

int run_doctor(ServersCommand command) {
  std::vector<CheckResult> findings{
      check_path(), check_program("node", "only servers started with npx need it: install nodejs"),
      check_program("npx", "only servers started with npx need it: install npm"),
      check_program("uvx", "only servers started with uvx need it: install uv"), check_certificates()};
  for (auto& each : check_configuration(command, command.files())) findings.push_back(std::move(each));
  const int printed = print(command.json() ? json::encode(findings) + "\n" : as_text(findings));
  const bool bad = std::ranges::any_of(findings, [](const CheckResult& each) { return each.state == "bad"; });
  return bad ? exit_code::failed : printed;
}

}  // namespace

RunCommand declare_doctor(Options& options) {
  auto command = std::make_shared<ServersCommand>();
  options.describe("doctor [options]",
                   "Checks what servers need on this machine: PATH, node and uv, the port, certificates, and each\n"
                   "server in both eras (handshake and stateless). Exit codes: 0 ok, 1 problems found.",
                   doctor_examples);
  command->add_files_option(options);
  command->add_options(options);
  return [command] { return run_doctor(*command); };
}

}  // namespace fairlead::cli
