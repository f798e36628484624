#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.
struct DiscoveryDocument {
  std::string revision;
  std::string era;
  protocol::Implementation serverInfo;
  protocol::ServerCapabilities capabilities;
  std::optional<std::string> instructions = {};
};
// NOLINTEND(readability-identifier-naming)

constexpr auto discover_examples = R"(  fairlead discover memory
  fairlead discover -- ./server
  fairlead discover --era handshake --json -- ./server)";

DiscoveryDocument described(const client::ServerDescription& server) {
  const bool stateless = server.revision->lifecycle == protocol::Lifecycle::stateless;
  return {.revision = std::string(server.revision->name),
          .era = stateless ? "stateless" : "handshake",
          .serverInfo = server.info,
          .capabilities = server.capabilities,
          .instructions = server.instructions};
}

// The names of the capabilities, each with its details.
std::string named(const protocol::ServerCapabilities& capabilities) {
  const auto text = json::encode(capabilities);
  std::string names;
  json::Reader reader(text);
  for (reader.open(); reader.more();) {
    names += (names.empty() ? "" : ", ") + escape_for_terminal(reader.key());
    const auto details = reader.skip();
    if (details != "{}") names += " " + escape_for_terminal(details);
  }
  return names.empty() ? "none" : names;
}

std::string shown(const DiscoveryDocument& server) {
  const auto& info = server.serverInfo;
  std::vector<std::pair<std::string, std::string>> rows{
      {"server", info.name + " " + info.version},
      {"revision", fmt::format("{} ({})", server.revision, server.era)},
      {"capabilities", named(server.capabilities)},
  };
  if (info.title) rows.emplace_back("title", *info.title);
  if (info.description) rows.emplace_back("description", *info.description);
  if (info.websiteUrl) rows.emplace_back("website", *info.websiteUrl);
  auto text = format_table(rows);
  if (server.instructions) text += "\n" + escape_for_terminal(*server.instructions) + "\n";
  return text;
}

int run_discover(ClientCommand command) {
  return command.run([&](client::Client& client) {
    const auto server = described(client.server());
    return print(command.json() ? json::encode(server) + "\n" : shown(server));
  });
}

}  // namespace

RunCommand declare_discover(Options& options) {
  auto command = std::make_shared<ClientCommand>();
  options.describe("discover [options] <name> | <url> | -- <server command...>",
                   "Shows the name, revision and capabilities of a server.", discover_examples);
  command->add_options(options);
  return [command] { return run_discover(*command); };
}

}  // namespace fairlead::cli
