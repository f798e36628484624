#include "gateway/explain/call_target.hpp"

#include <boost/json.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/duration.hpp"
#include "config/scalars.hpp"
#include "config/secret_mask.hpp"
#include "gateway/explain/explain_run.hpp"
#include "gateway/upstream/backend_factory.hpp"

namespace fairlead::gateway {
namespace {

void add_protocol_headers(std::vector<ExplainedHeader>& all, const CallTarget& target) {
  const auto* revision = target.revision;
  if (!revision) return;
  const std::string from = "the protocol";
  if (revision->version_header) put_explained(all, {"MCP-Protocol-Version", std::string(revision->name), from});
  if (!revision->method_headers) return;
  put_explained(all, {"Mcp-Method", std::string(protocol::CallTool::method), from});
  put_explained(all, {"Mcp-Name", target.tool, from});
  if (target.schema.empty()) return;
  const auto params = protocol::collect_header_params(target.schema);
  const auto arguments = json::Payload::trusted(target.arguments);
  const auto headers =
      params ? protocol::param_headers(*params, arguments.value()) : Result<std::vector<protocol::Header>>();
  if (!headers) return;
  const config::SecretMask mask;
  for (const auto& [name, value] : *headers) put_explained(all, {name, mask.header(name, value), "the arguments"});
}

std::string per_time(Duration idle, Duration cap) {
  // Larger values mean no limit.
  static constexpr Duration no_limit = std::chrono::hours{24 * 3650};
  const auto shown = [](Duration time) { return time >= no_limit ? std::string("any time") : write_duration(time); };
  return fmt::format("{} without progress, {} in total", shown(idle), shown(cap));
}

}  // namespace

std::string listen_addresses(const ListenConfig& listen) {
  std::string all;
  const auto add = [&](std::string_view entrance) { all += (all.empty() ? "" : ", ") + std::string(entrance); };
  if (listen.http) {
    std::string carriers;
    for (const auto& [path, name] :
         {std::pair(listen.paths.mcp, "Streamable HTTP"), std::pair(listen.paths.sse, "SSE"),
          std::pair(listen.paths.ws, "WebSocket"), std::pair(listen.paths.rpc, "plain calls")}) {
      if (!path.empty()) carriers += (carriers.empty() ? "" : ", ") + std::string(name);
    }
    add(fmt::format("{}://{}:{}{} ({})", listen.tls.cert.empty() ? "http" : "https", listen.host, listen.port,
                    listen.base_path, carriers));
  }
  if (listen.stdio) add("stdio");
  if (!listen.unix_socket.empty()) add("unix:" + listen.unix_socket);
  return all;
}

std::string transport_to(const ServerConfig& server) {
  return server.url.empty() ? "stdio" : server.url.substr(0, server.url.find(':'));
}

std::string server_address(const ServerConfig& server) {
  const config::SecretMask mask;
  if (!server.url.empty()) return mask.value("url", server.url);
  return shell_quoted(mask.words(server.command));
}

std::vector<ExplainedHeader> headers_to(const ServerConfig& server, const CallTarget& target) {
  const config::SecretMask mask;
  std::vector<ExplainedHeader> all;
  for (const auto& [name, value] : server.headers) {
    put_explained(all, {name, mask.header(name, value), fmt::format("servers.{}.headers", server.name)});
  }
  put_explained(all, {"Via", "1.1 fairlead-…", "the gateway"});
  for (const auto& header : target.set) put_explained(all, header);
  add_protocol_headers(all, target);
  return all;
}

std::vector<ExplainedSetting> settings_of(const ServerConfig& server, const session::Timeouts& timeouts) {
  const auto limit = upstream_options(server).timeouts.within(timeouts);
  std::vector<ExplainedSetting> all{
      {"timeout", per_time(limit.idle, limit.total)},
      {"concurrency", fmt::format("{} calls, {} queued", server.max_in_flight, server.max_waiting)}};
  if (server.share == Share::caller) all.push_back({"shared", "no: each caller has its own"});
  if (server.lazy && server.url.empty()) all.push_back({"start", "with the first call"});
  if (server.idle_stop > Duration{})
    all.push_back({"stop", "after an idle time of " + write_duration(server.idle_stop)});
  if (server.memory.count > 0) all.push_back({"memory", config::write_bytes(server.memory)});
  if (server.cpu_time > Duration{}) all.push_back({"cpu time", write_duration(server.cpu_time)});
  if (server.open_files > 0) all.push_back({"open files", std::to_string(server.open_files)});
  return all;
}

}  // namespace fairlead::gateway
