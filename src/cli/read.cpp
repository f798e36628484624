#include <fairlead/base/base64.hpp>
#include <fairlead/json/codec.hpp>
#include <unistd.h>

#include "cli/client_command.hpp"
#include "cli/output.hpp"
#include "cli/to_text.hpp"

namespace fairlead::cli {
namespace {

constexpr auto read_examples = R"(  fairlead read files file:///etc/motd
  fairlead read file:///etc/motd -- ./server
  fairlead read demo://picture -- fairlead demo > picture.png)";

// Binary contents are described on a terminal, and written as they are to a file or pipe.
std::string shown(const protocol::ReadResourceResult& result) {
  const bool at_terminal = ::isatty(STDOUT_FILENO) == 1;
  std::string text;
  for (const auto& contents : result.contents) {
    const auto* blob = std::get_if<protocol::BlobResourceContents>(&contents);
    const auto* plain = std::get_if<protocol::TextResourceContents>(&contents);
    if (at_terminal) {
      text += to_text(contents);
    } else if (blob != nullptr) {
      const auto bytes = base64_decode(blob->blob);
      if (!bytes) throw client::Failure(bytes.error());
      text += *bytes;
    } else {
      text += plain->text;
    }
  }
  return text;
}

int read(client::Client& client, const std::string& uri, bool json) {
  protocol::ReadResourceParams params;
  params.uri = uri;
  const auto body = client.request("resources/read", json::to_payload(params), ClientCommand::progress_options());
  if (json) return print(std::string(body.text()) + "\n");
  const auto result = json::decode<protocol::ReadResourceResult>(body);
  if (!result) throw client::Failure(result.error());
  return print(shown(*result));
}

struct ReadOptions : ClientCommand {
  std::string uri = {};
};

int run_read(ReadOptions flags) {
  return flags.run([&](client::Client& client) { return read(client, flags.uri, flags.json()); });
}

}  // namespace

RunCommand declare_read(Options& options) {
  auto flags = std::make_shared<ReadOptions>();
  options.describe("read <uri> [options] <name> | <url> | -- <server command...>",
                   "Reads a resource and prints it. Binary contents are written to a file or pipe, "
                   "and described on a terminal.",
                   read_examples);
  options.positional("uri", flags->uri, "the resource's URI", true);
  flags->add_options(options);
  return [flags] { return run_read(*flags); };
}

}  // namespace fairlead::cli
