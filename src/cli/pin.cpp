#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <map>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/pin_report.hpp"
#include "cli/server_probe.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"

namespace fairlead::cli {
namespace {

constexpr auto pin_examples = R"(  fairlead pin
  fairlead pin approve git
  fairlead pin diff git push
  fairlead pin approve git push
  fairlead pin approve --all -c team.yaml
  fairlead pin forget git)";

struct PinCommandOptions : ServersCommand {
  std::string action = "status";
  std::vector<std::string> names = {};  ///< A server, followed by tools, prompts, skills and pages of it.
  bool all = false;
};

/// Whether the user selected this item of the server. Without names, all are selected.
bool is_selected(const PinCommandOptions& flags, const std::string& item) {
  return flags.names.size() < 2 ||
         std::ranges::find(flags.names.begin() + 1, flags.names.end(), item) != flags.names.end();
}

/// The servers, their current definitions, and the approved definitions by pin file.
struct PinView {
  std::vector<gateway::ServerConfig> servers = {};
  std::vector<ServerDefinitions> found = {};
  std::vector<PinnedServer> compared = {};
  std::map<std::string, gateway::Pins> files = {};
};

Result<PinView> load_pin_view(const gateway::GatewayConfig& config, std::vector<gateway::ServerConfig> servers,
                              Duration deadline) {
  PinView view{.servers = std::move(servers)};
  for (const auto& server : view.servers) {
    const auto file = gateway::pins_file(config, server);
    if (view.files.contains(file)) continue;
    auto pins = gateway::read_pins(file);
    if (!pins) return std::unexpected(std::move(pins.error()));
    view.files.emplace(file, std::move(*pins));
  }
  view.found = fetch_definitions(view.servers, deadline);
  for (std::size_t i = 0; i < view.servers.size(); ++i) {
    const auto file = gateway::pins_file(config, view.servers[i]);
    view.compared.push_back(compare(view.found[i], view.files.at(file), file));
  }
  return view;
}

int report_unreachable_servers(const ServersCommand& command, const PinView& view, int code) {
  for (const auto& server : view.compared) {
    if (server.error) code = command.report_unreachable(server.server, *server.error);
  }
  return code;
}

int show_status(const ServersCommand& command, const PinView& view) {
  std::string text;
  bool differs = false;
  for (const auto& server : view.compared) {
    text += show_pin_status(server);
    differs = differs || server.differs();
  }
  const int printed = print(command.json() ? json::encode(view.compared) + "\n" : text);
  return report_unreachable_servers(command, view, differs ? exit_code::failed : printed);
}

bool any_pinned(const PinView& view) {
  return std::ranges::any_of(view.compared, &PinnedServer::pinned);
}

int show_diff(PinView view, const PinCommandOptions& flags) {
  std::string text;
  bool differs = false;
  for (auto& server : view.compared) {
    std::erase_if(server.items, [&](const auto& item) { return !item.differs() || !is_selected(flags, item.name); });
    for (const auto& item : server.items) text += show_changes(server, item);
    differs = differs || server.differs();
  }
  if (!differs)
    text = any_pinned(view) ? "no differences from the approved definitions\n" : "nothing is approved yet\n";
  const int printed = print(flags.json() ? json::encode(view.compared) + "\n" : text);
  return report_unreachable_servers(flags, view, differs ? exit_code::failed : printed);
}

/// Replaces the approved definitions by the current ones.
void approve_into(gateway::ServerPins& pins, const ServerDefinitions& now, const PinCommandOptions& flags) {
  for (const auto kind : gateway::pinned_kinds) {
    auto& named = pins.of(kind);
    std::erase_if(named, [&](const auto& pin) { return is_selected(flags, pin.first); });
    for (const auto& item : now.of(kind)) {
      if (is_selected(flags, item.key)) named.insert_or_assign(item.key, gateway::pin_of(item.text));
    }
  }
}

std::string show_approved(const PinnedServer& server, const PinCommandOptions& flags) {
  std::string text;
  std::size_t count = 0;
  for (const auto& item : server.items) {
    if (!is_selected(flags, item.name)) continue;
    ++count;
    if (item.differs()) text += show_changes(server, item);
    if (item.state == "not pinned") text += show_description(item);
  }
  return text + fmt::format("{}: {} approved, in {}\n", server.server, count, server.file);
}

int approve(PinView view, const PinCommandOptions& flags) {
  std::string text;
  for (std::size_t i = 0; i < view.servers.size(); ++i) {
    const auto& server = view.compared[i];
    if (server.error) continue;
    for (std::size_t named = 1; named < flags.names.size(); ++named) {
      if (std::ranges::find(server.items, flags.names[named], &PinnedItem::name) == server.items.end()) {
        return flags.usage_error(
            fmt::format("{} has no tool, prompt, skill or page '{}'", server.server, flags.names[named]));
      }
    }
    approve_into(view.files.at(server.file)[server.server], view.found[i], flags);
    text += show_approved(server, flags);
  }
  for (const auto& [file, pins] : view.files) {
    const auto written = gateway::write_pins(file, pins);
    if (!written) return report_error("pin", written.error().message, exit_code::failed);
  }
  return report_unreachable_servers(flags, view, print(flags.json() ? json::encode(view.compared) + "\n" : text));
}

int forget(const gateway::GatewayConfig& config, const gateway::ServerConfig& server) {
  const auto file = gateway::pins_file(config, server);
  auto pins = gateway::read_pins(file);
  if (pins && pins->erase(server.name) == 0) pins = fail(ErrorKind::invalid, server.name + " is not pinned");
  const auto written = pins ? gateway::write_pins(file, *pins) : Result<void>(std::unexpected(pins.error()));
  if (written) return print(fmt::format("{}: approvals removed; the gateway no longer checks it\n", server.name));
  return report_error("pin", written.error().message, exit_code::failed);
}

void warn_if_pins_off(const gateway::GatewayConfig& config) {
  const auto has_step = [](const auto& chain) {
    return std::ranges::find(chain, "pin", &gateway::MiddlewareConfig::name) != chain.end();
  };
  const bool on = !config.pins.empty() || has_step(config.chain) ||
                  std::ranges::any_of(config.servers, [&](const auto& server) { return has_step(server.chain); });
  if (!on) print_stderr("fairlead pin: the gateway hides changed tools only if the configuration has pins: on");
}

std::string pin_usage_problem(const PinCommandOptions& flags) {
  const bool approves = flags.action == "approve";
  if (flags.all && (!approves || !flags.names.empty())) return "--all is only for approve, without names";
  const bool needs_server = flags.action == "forget" || (approves && !flags.all);
  if (!needs_server || !flags.names.empty()) return "";
  return fmt::format("name the server, as in fairlead pin {} git{}", flags.action, approves ? ", or --all" : "");
}

int run_pin_action(const gateway::GatewayConfig& config, std::vector<gateway::ServerConfig> servers,
                   const PinCommandOptions& flags) {
  auto view = load_pin_view(config, std::move(servers), flags.deadline());
  if (!view) return flags.usage_error(view.error().message);
  warn_if_pins_off(config);
  if (flags.action == "approve") return approve(std::move(*view), flags);
  return flags.action == "diff" ? show_diff(std::move(*view), flags) : show_status(flags, *view);
}

int run_pin(PinCommandOptions flags) {
  if (const auto wrong = pin_usage_problem(flags); !wrong.empty()) return flags.usage_error(wrong);
  const auto loaded = flags.load();
  if (!loaded) return exit_code::usage;
  auto servers = enabled_servers(loaded->config);
  if (!flags.names.empty()) {
    auto found = find_server(loaded->config, flags.names.front());
    if (!found) return flags.usage_error(found.error().message);
    if (flags.action == "forget") return forget(loaded->config, *found);
    servers.assign(1, *std::move(found));
  }
  return run_pin_action(loaded->config, std::move(servers), flags);
}

}  // namespace

RunCommand declare_pin(Options& options) {
  auto flags = std::make_shared<PinCommandOptions>();
  options.describe(
      "pin [status|diff|approve|forget] [server [tool...]] [options]",
      "Compares the definitions of tools, prompts, skills and pages with the approved ones, and approves them.\n"
      "With `pins: on` in its configuration, a gateway hides what differs.\n"
      "Exit codes: 0 all as approved, 1 differences found, 2 usage error, 3 a server does not respond.",
      pin_examples);
  options.choice("what", flags->action,
                 "show the state, show differences, approve, or remove approvals (default: status)",
                 {"status", "diff", "approve", "forget"});
  options.positionals("names", flags->names,
                      "a server, followed by tools or prompts of it, or URIs of skills and pages");
  options.flag("--all", flags->all, "approve all servers");
  flags->add_files_option(options);
  flags->add_options(options);
  return [flags] { return run_pin(*flags); };
}

}  // namespace fairlead::cli
