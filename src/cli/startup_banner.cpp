#include "cli/startup_banner.hpp"

#include <fairlead/json/codec.hpp>
#include <fmt/format.h>

#include "cli/output.hpp"
#include "gateway/app/reachable_url.hpp"

namespace fairlead::cli {
namespace {

std::vector<std::string> served_names(const gateway::GatewayConfig& config) {
  std::vector<std::string> names;
  for (const auto& server : config.servers) {
    if (!server.disabled) names.push_back(server.name);
  }
  return names;
}

std::string web_socket(const std::string& url) {
  return "ws" + url.substr(4);
}

}  // namespace

std::string client_config_snippet(const std::string& name, const std::string& url, const std::string& key) {
  const auto headers =
      key.empty() ? "" : fmt::format(", \"headers\": {{\"Authorization\": {}}}", json::encode("Bearer " + key));
  return fmt::format("{{\"mcpServers\": {{{}: {{\"type\": \"http\", \"url\": {}{}}}}}}}", json::encode(name),
                     json::encode(url), headers);
}

void print_startup_banner(const gateway::GatewayConfig& config, const std::string& url) {
  const auto& listen = config.listen;
  if (!listen.unix_socket.empty()) print_stderr(fmt::format("fairlead: listening on unix:{}", listen.unix_socket));
  if (url.empty()) return;
  const auto base = gateway::reachable_url(url, listen) + listen.base_path;
  const auto mcp = base + listen.paths.mcp;
  const auto names = served_names(config);
  const auto name = names.size() == 1 ? names.front() : "fairlead";
  print_stderr(fmt::format("fairlead: serving {} on {}", name, mcp));
  std::string more;
  if (!listen.paths.sse.empty()) more += fmt::format("  HTTP+SSE     {}{}\n", base, listen.paths.sse);
  if (!listen.paths.ws.empty()) more += fmt::format("  WebSocket    {}{}\n", web_socket(base), listen.paths.ws);
  if (!listen.paths.rpc.empty()) more += fmt::format("  tool calls   {}{}\n", base, listen.paths.rpc);
  if (config.servers.size() > 1) {
    for (const auto& each : names) more += fmt::format("  {:<12} {}/s/{}{}\n", each, base, each, listen.paths.mcp);
  }
  const bool by_key = !listen.keys_file.empty() || !listen.keys.empty();
  more += fmt::format("Client configuration{}:\n  {}",
                      by_key ? " (replace <key> by the secret that fairlead key printed)" : "",
                      client_config_snippet(name, mcp, by_key ? "<key>" : ""));
  print_stderr(more);
}

}  // namespace fairlead::cli
