#include <chrono>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

struct Pong {
  std::string server;
  double milliseconds;
};

std::string shown(const Pong& pong) {
  return fmt::format("{} responded in {:.2f} ms\n", escape_for_terminal(pong.server), pong.milliseconds);
}

}  // namespace

int run_ping(const Args& args) {
  ClientCommand command("ping [options] <name> | <url> | -- <server command...>",
                        "Connects to a server, sends a ping and shows the response time.",
                        "  fairlead ping memory\n  fairlead ping https://example.com/mcp\n  fairlead ping -- ./server");
  return command.run(args, [&](client::Client& client) {
    const auto start = std::chrono::steady_clock::now();
    client.ping();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    const Pong pong{.server = client.server().info.name, .milliseconds = taken.count()};
    return print(command.json() ? json::encode(pong) + "\n" : shown(pong));
  });
}

}  // namespace fairlead::cli
