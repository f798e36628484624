#include "cli/announcement.hpp"

#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/output.hpp"

namespace fairlead::cli {
namespace {

std::string name_of(const gateway::GatewayConfig& config) {
  return config.servers.size() == 1 ? config.servers.front().name : "fairlead";
}

std::string web_socket(const std::string& url) {
  return "ws" + url.substr(4);
}

}  // namespace

void announce(const gateway::GatewayConfig& config, const std::string& url) {
  const auto& listen = config.listen;
  if (!listen.unix_socket.empty()) complain(fmt::format("fairlead: listening on unix:{}", listen.unix_socket));
  if (url.empty()) return;
  const auto base = url + listen.base_path;
  const auto mcp = base + listen.paths.mcp;
  complain(fmt::format("fairlead: serving {} on {}", name_of(config), mcp));
  std::string more;
  if (!listen.paths.sse.empty()) more += fmt::format("  HTTP+SSE     {}{}\n", base, listen.paths.sse);
  if (!listen.paths.ws.empty()) more += fmt::format("  WebSocket    {}{}\n", web_socket(base), listen.paths.ws);
  if (!listen.paths.rpc.empty()) more += fmt::format("  tool calls   {}{}\n", base, listen.paths.rpc);
  if (config.servers.size() > 1) {
    for (const auto& server : config.servers) {
      more += fmt::format("  {:<12} {}/s/{}{}\n", server.name, base, server.name, listen.paths.mcp);
    }
  }
  more +=
      fmt::format("For a client's configuration:\n  {{\"mcpServers\": {{{}: {{\"type\": \"http\", \"url\": {}}}}}}}",
                  json::encode(name_of(config)), json::encode(mcp));
  complain(more);
}

}  // namespace fairlead::cli
