#include <chrono>
#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto ping_examples = R"(  fairlead ping memory
  fairlead ping https://example.com/mcp
  fairlead ping -- ./server)";

struct Pong {
  std::string server;
  double milliseconds;
};

std::string shown(const Pong& pong) {
  return fmt::format("{} responded in {:.2f} ms\n", escape_for_terminal(pong.server), pong.milliseconds);
}

int run_ping(ClientCommand command) {
  return command.run([&](client::Client& client) {
    const auto start = std::chrono::steady_clock::now();
    client.ping();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    const Pong pong{.server = client.server().info.name, .milliseconds = taken.count()};
    return print(command.json() ? json::encode(pong) + "\n" : shown(pong));
  });
}

}  // namespace

RunCommand declare_ping(Options& options) {
  auto command = std::make_shared<ClientCommand>();
  options.describe("ping [options] <name> | <url> | -- <server command...>",
                   "Connects to a server, sends a ping and shows the response time.", ping_examples);
  command->add_options(options);
  return [command] { return run_ping(*command); };
}

}  // namespace fairlead::cli
