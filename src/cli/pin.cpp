#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>
#include <map>
#include <set>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/pin_report.hpp"
#include "cli/servers_command.hpp"
#include "cli/servers_file.hpp"
#include "cli/show.hpp"
#include "cli/survey.hpp"

namespace fairlead::cli {
namespace {

constexpr auto pin_examples = R"(  fairlead pin
  fairlead pin approve git
  fairlead pin diff git push
  fairlead pin approve git push
  fairlead pin approve --all -c team.yaml
  fairlead pin forget git)";

struct PinWords {
  std::string what = "status";
  std::vector<std::string> names = {};  ///< A server, and then tools and prompts of it.
  bool all = false;
};

/// Which of a server's items the user has named; all, if none.
bool is_named_by(const PinWords& words, const std::string& item) {
  return words.names.size() < 2 ||
         std::ranges::find(words.names.begin() + 1, words.names.end(), item) != words.names.end();
}

/// What is known of the servers, and what was approved of each, by file.
struct PinView {
  std::vector<gateway::ServerConfig> servers = {};
  std::vector<Definitions> found = {};
  std::vector<PinnedServer> compared = {};
  std::map<std::string, gateway::Pins> files = {};
};

Result<PinView> look_at_pins(const gateway::GatewayConfig& config, std::vector<gateway::ServerConfig> servers,
                             Duration deadline) {
  PinView view{.servers = std::move(servers)};
  for (const auto& server : view.servers) {
    const auto file = gateway::pins_file(config, server);
    if (view.files.contains(file)) continue;
    auto pins = gateway::read_pins(file);
    if (!pins) return std::unexpected(std::move(pins.error()));
    view.files.emplace(file, std::move(*pins));
  }
  view.found = definitions_of(view.servers, deadline);
  for (std::size_t i = 0; i < view.servers.size(); ++i) {
    const auto file = gateway::pins_file(config, view.servers[i]);
    view.compared.push_back(compare(view.found[i], view.files.at(file), file));
  }
  return view;
}

int ended(const ServersCommand& command, const PinView& view, int code) {
  for (const auto& server : view.compared) {
    if (server.trouble) code = command.unreachable(server.server, *server.trouble);
  }
  return code;
}

int show_status(const ServersCommand& command, const PinView& view) {
  std::string text;
  bool differs = false;
  for (const auto& server : view.compared) {
    text += show_standing(server);
    differs = differs || server.differs();
  }
  const int printed = print(command.json() ? json::encode(view.compared) + "\n" : text);
  return ended(command, view, differs ? exit_code::failed : printed);
}

bool any_pinned(const PinView& view) {
  return std::ranges::any_of(view.compared, &PinnedServer::pinned);
}

int show_diff(const ServersCommand& command, PinView view, const PinWords& words) {
  std::string text;
  bool differs = false;
  for (auto& server : view.compared) {
    std::erase_if(server.items, [&](const auto& item) { return !item.differs() || !is_named_by(words, item.name); });
    for (const auto& item : server.items) text += show_changes(server, item);
    differs = differs || server.differs();
  }
  if (!differs) text = any_pinned(view) ? "nothing differs from what was approved\n" : "nothing was approved so far\n";
  const int printed = print(command.json() ? json::encode(view.compared) + "\n" : text);
  return ended(command, view, differs ? exit_code::failed : printed);
}

/// What the server has now, in the place of what was approved of it.
void approve_into(gateway::ServerPins& pins, const Definitions& now, const PinWords& words) {
  for (const auto kind : {gateway::ListKind::tools, gateway::ListKind::prompts}) {
    auto& named = pins.of(kind);
    std::erase_if(named, [&](const auto& pin) { return is_named_by(words, pin.first); });
    for (const auto& item : now.of(kind)) {
      if (is_named_by(words, item.key)) named.insert_or_assign(item.key, gateway::pin_of(item.text));
    }
  }
}

std::string show_approved(const PinnedServer& server, const PinWords& words) {
  std::string text;
  std::size_t count = 0;
  for (const auto& item : server.items) {
    if (!is_named_by(words, item.name)) continue;
    ++count;
    if (item.differs()) text += show_changes(server, item);
    if (item.state == "not pinned") text += show_description(item);
  }
  return text + fmt::format("{}: {} approved, in {}\n", server.server, count, server.file);
}

int approve(const ServersCommand& command, PinView view, const PinWords& words) {
  std::string text;
  for (std::size_t i = 0; i < view.servers.size(); ++i) {
    const auto& server = view.compared[i];
    if (server.trouble) continue;
    for (std::size_t word = 1; word < words.names.size(); ++word) {
      if (std::ranges::find(server.items, words.names[word], &PinnedItem::name) == server.items.end()) {
        return command.refuse(fmt::format("{} has no tool or prompt '{}'", server.server, words.names[word]));
      }
    }
    approve_into(view.files.at(server.file)[server.server], view.found[i], words);
    text += show_approved(server, words);
  }
  for (const auto& [file, pins] : view.files) {
    const auto written = gateway::write_pins(file, pins);
    if (written) continue;
    complain("fairlead pin: " + written.error().message);
    return exit_code::failed;
  }
  return ended(command, view, print(command.json() ? json::encode(view.compared) + "\n" : text));
}

int forget(const gateway::GatewayConfig& config, const gateway::ServerConfig& server) {
  const auto file = gateway::pins_file(config, server);
  auto pins = gateway::read_pins(file);
  if (pins && pins->erase(server.name) == 0) pins = fail(ErrorKind::invalid, server.name + " was not pinned");
  const auto written = pins ? gateway::write_pins(file, *pins) : Result<void>(std::unexpected(pins.error()));
  if (written) return print(fmt::format("{}: forgotten, all of it passes again\n", server.name));
  complain("fairlead pin: " + written.error().message);
  return exit_code::failed;
}

void warn_if_off(const gateway::GatewayConfig& config) {
  const auto has_step = [](const auto& chain) {
    return std::ranges::find(chain, "pin", &gateway::MiddlewareConfig::name) != chain.end();
  };
  const bool on = !config.pins.empty() || has_step(config.chain) ||
                  std::ranges::any_of(config.servers, [&](const auto& server) { return has_step(server.chain); });
  if (!on) complain("fairlead pin: a gateway holds nothing back until the configuration says pins: on");
}

void add_pin_options(Options& options, PinWords& words) {
  options.word_of("what", words.what, "to tell how all stand, to show what differs, to approve, to forget",
                  {"status", "diff", "approve", "forget"});
  options.words("names", words.names, "a server, and tools or prompts of it");
  options.flag("--all", words.all, "approve all servers");
}

std::string flaw_of(const PinWords& words) {
  const bool approves = words.what == "approve";
  if (words.all && (!approves || !words.names.empty())) return "--all is for approve, without names";
  const bool needs_server = words.what == "forget" || (approves && !words.all);
  if (!needs_server || !words.names.empty()) return "";
  return fmt::format("name the server, as in fairlead pin {} git{}", words.what, approves ? ", or --all" : "");
}

int look_and_act(const ServersCommand& command, const gateway::GatewayConfig& config,
                 std::vector<gateway::ServerConfig> servers, const PinWords& words) {
  auto view = look_at_pins(config, std::move(servers), command.deadline());
  if (!view) return command.refuse(view.error().message);
  warn_if_off(config);
  if (words.what == "approve") return approve(command, std::move(*view), words);
  return words.what == "diff" ? show_diff(command, std::move(*view), words) : show_status(command, *view);
}

}  // namespace

int run_pin(const Words& given) {
  ServersCommand command("pin [status|diff|approve|forget] [server [tool...]] [options]",
                         "Compares what servers say of their tools and prompts with what was approved, and approves "
                         "it.\nWith `pins: on` in its configuration, a gateway holds back what differs.\n"
                         "Exit codes: 0 all is as approved, 1 something differs, 2 wrong usage, 3 a server does not "
                         "answer.",
                         pin_examples);
  PinWords words;
  add_pin_options(command.options(), words);
  command.add_files_option();
  if (const auto done = command.parse(given.own, given.child)) return *done;
  if (const auto wrong = flaw_of(words); !wrong.empty()) return command.refuse(wrong);
  const auto loaded = command.load();
  if (!loaded) return exit_code::usage;
  auto servers = enabled_servers(loaded->config);
  if (!words.names.empty()) {
    auto found = find_server(loaded->config, words.names.front());
    if (!found) return command.refuse(found.error().message);
    if (words.what == "forget") return forget(loaded->config, *found);
    servers.assign(1, *std::move(found));
  }
  return look_and_act(command, loaded->config, std::move(servers), words);
}

}  // namespace fairlead::cli
