#include <fairlead/json/codec.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"

namespace fairlead::cli {
namespace {

// NOLINTBEGIN(readability-identifier-naming): members are spelled as on the wire.
struct Description {
  std::string revision;
  std::string era;
  protocol::Implementation serverInfo;
  protocol::ServerCapabilities capabilities;
  std::optional<std::string> instructions = {};
};
// NOLINTEND(readability-identifier-naming)

Description described(const client::ServerDescription& server) {
  const bool stateless = server.revision->lifecycle == protocol::Lifecycle::stateless;
  return {.revision = std::string(server.revision->name),
          .era = stateless ? "stateless" : "handshake",
          .serverInfo = server.info,
          .capabilities = server.capabilities,
          .instructions = server.instructions};
}

// The capabilities' names, each with what it says about itself.
std::string named(const protocol::ServerCapabilities& capabilities) {
  const auto text = json::encode(capabilities);
  std::string names;
  json::Reader reader(text);
  for (reader.open(); reader.more();) {
    names += (names.empty() ? "" : ", ") + for_terminal(reader.key());
    const auto details = reader.skip();
    if (details != "{}") names += " " + for_terminal(details);
  }
  return names.empty() ? "none" : names;
}

std::string shown(const Description& server) {
  const auto& info = server.serverInfo;
  std::vector<std::pair<std::string, std::string>> rows{
      {"server", info.name + " " + info.version},
      {"revision", fmt::format("{} ({})", server.revision, server.era)},
      {"capabilities", named(server.capabilities)},
  };
  if (info.title) rows.emplace_back("title", *info.title);
  if (info.description) rows.emplace_back("description", *info.description);
  if (info.websiteUrl) rows.emplace_back("website", *info.websiteUrl);
  auto text = show_table(rows);
  if (server.instructions) text += "\n" + for_terminal(*server.instructions) + "\n";
  return text;
}

}  // namespace

int run_discover(const Words& words) {
  ClientCommand command("discover [options] <name> | <url> | -- <server command...>",
                        "Tells who a server is, which revision it speaks, and what it can do.",
                        "  fairlead discover memory\n  fairlead discover -- ./server\n  fairlead discover --era "
                        "handshake --json -- ./server");
  return command.run(words, [&](client::Client& client) {
    const auto server = described(client.server());
    return print(command.json() ? json::encode(server) + "\n" : shown(server));
  });
}

}  // namespace fairlead::cli
