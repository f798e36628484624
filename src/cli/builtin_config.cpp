#include "cli/builtin_config.hpp"

#include <cstdlib>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/revision.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fairlead::cli {
namespace {

std::string this_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "fairlead" : path.string();
}

// The socket needs a directory that only this user can access.
std::string socket_line() {
  const char* directory = std::getenv("XDG_RUNTIME_DIR");
  if (!directory || !std::filesystem::is_directory(directory) || ::access(directory, W_OK) != 0) return "";
  return fmt::format("  unix: {}\n", json::encode(fmt::format("{}/fairlead-{}.sock", directory, ::getpid())));
}

}  // namespace

std::string builtin_config() {
  return fmt::format(R"(servers:
  demo:
    command: [{}, demo]
chain:
  - timeout(60s)
listen:
  host: 127.0.0.1
  port: 8080
{})",
                     json::encode(this_program()), socket_line());
}

std::string curl_example(const std::string& mcp_url) {
  const auto revision = protocol::revisions().back().name;
  return fmt::format(
      "curl -s {} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' "
      "-H 'MCP-Protocol-Version: {}' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: echo' "
      R"(-d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hello"}},)"
      R"("_meta":{{"io.modelcontextprotocol/protocolVersion":"{}",)"
      R"("io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}')",
      mcp_url, revision, revision);
}

}  // namespace fairlead::cli
