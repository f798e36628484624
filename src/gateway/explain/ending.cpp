#include "gateway/explain/ending.hpp"

#include <boost/json.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/protocol/header_params.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/revision.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/duration.hpp"
#include "gateway/config/mask.hpp"
#include "gateway/config/scalars.hpp"
#include "gateway/endpoint.hpp"
#include "gateway/explain/walk.hpp"

namespace fairlead::gateway {
namespace {

void add_protocol_headers(std::vector<ExplainedHeader>& all, const CallEnding& ending) {
  const auto* revision = ending.revision;
  if (!revision) return;
  const std::string from = "the protocol";
  if (revision->version_header) put_explained(all, {"MCP-Protocol-Version", std::string(revision->name), from});
  if (!revision->method_headers) return;
  put_explained(all, {"Mcp-Method", std::string(protocol::CallTool::method), from});
  put_explained(all, {"Mcp-Name", ending.tool, from});
  if (ending.schema.empty()) return;
  const auto params = protocol::collect_header_params(ending.schema);
  const auto arguments = json::Payload::trusted(ending.arguments);
  const auto headers =
      params ? protocol::param_headers(*params, arguments.value()) : Result<std::vector<protocol::Header>>();
  if (!headers) return;
  const Mask mask;
  for (const auto& [name, value] : *headers) put_explained(all, {name, mask.header(name, value), "the arguments"});
}

std::string per_time(Duration idle, Duration cap) {
  // So long is what a configuration means by no limit.
  static constexpr Duration no_limit = std::chrono::hours{24 * 3650};
  const auto shown = [](Duration time) { return time >= no_limit ? std::string("any time") : write_duration(time); };
  return fmt::format("{} without a sign of life, {} in all", shown(idle), shown(cap));
}

}  // namespace

std::string shown_entrances(const ListenConfig& listen) {
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

std::string shown_address(const ServerConfig& server) {
  const Mask mask;
  if (!server.url.empty()) return mask.value("url", server.url);
  return shell_quoted(mask.words(server.command));
}

std::vector<ExplainedHeader> headers_to(const ServerConfig& server, const CallEnding& ending) {
  const Mask mask;
  std::vector<ExplainedHeader> all;
  for (const auto& [name, value] : server.headers) {
    put_explained(all, {name, mask.header(name, value), fmt::format("servers.{}.headers", server.name)});
  }
  put_explained(all, {"Via", "1.1 fairlead-…", "the gateway"});
  for (const auto& header : ending.set) put_explained(all, header);
  add_protocol_headers(all, ending);
  return all;
}

std::vector<ExplainedSetting> settings_of(const ServerConfig& server, const session::Patience& patience) {
  const auto limit = upstream_options(server).patience.within(patience);
  std::vector<ExplainedSetting> all{
      {"time", per_time(limit.idle, limit.cap)},
      {"at a time", fmt::format("{} calls, and {} wait", server.max_in_flight, server.max_waiting)}};
  if (server.share == Share::caller) all.push_back({"shared", "no: each caller has one of their own"});
  if (server.lazy && server.url.empty()) all.push_back({"started", "by the first call"});
  if (server.idle_stop > Duration{}) all.push_back({"stopped", "when unused for " + write_duration(server.idle_stop)});
  if (server.memory.count > 0) all.push_back({"memory", write_bytes(server.memory)});
  if (server.cpu_time > Duration{}) all.push_back({"processor", write_duration(server.cpu_time)});
  if (server.open_files > 0) all.push_back({"open files", std::to_string(server.open_files)});
  return all;
}

}  // namespace fairlead::gateway
