#include "cli/definitions.hpp"

#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <set>
#include <utility>

#include "base/duration.hpp"
#include "cli/credentials.hpp"
#include "cli/run_loop.hpp"
#include "cli/server_probe.hpp"
#include "config/secret_mask.hpp"
#include "gateway/model/tool_page.hpp"
#include "gateway/pin/pins.hpp"
#include "gateway/upstream/backend_factory.hpp"
#include "gateway/upstream/upstream.hpp"

namespace fairlead::cli {
namespace {

using gateway::ListKind;

// A page that cannot be read is left out, and then refused by the gateway.
Task<Result<void>> fetch_pages(gateway::Upstream& server, ServerDefinitions* into) {
  std::set<std::string> uris;
  for (const auto& tool : into->tools) {
    if (auto page = gateway::page_of_tool(tool.text)) uris.insert(std::move(*page));
  }
  for (const auto& uri : uris) {
    protocol::ReadResourceParams params;
    params.uri = uri;
    session::Call call{.method = std::string(protocol::ReadResource::method), .params = json::to_payload(params)};
    const auto page = co_await server.call(call);
    if (!page) continue;
    into->pages.push_back({uri, gateway::page_definition(json::member_of(page->body, "contents"))});
  }
  co_return Result<void>();
}

Task<Result<void>> fetch_definition_lists(gateway::Upstream& server, ServerDefinitions* into) {
  auto described = co_await server.describe();
  if (!described) co_return std::unexpected(std::move(described.error()));
  into->revision = described->revision;
  const gateway::ListLimits limits;
  for (const auto kind : {ListKind::tools, ListKind::prompts, ListKind::skills}) {
    if (!gateway::is_offered(kind, described->capabilities)) continue;
    auto list = co_await gateway::fetch_list(server, kind, limits);
    if (!list) co_return std::unexpected(std::move(list.error()));
    into->of(kind) = std::move(list->items);
  }
  co_return co_await fetch_pages(server, into);
}

Task<void> fetch_from_server(EventLoop loop, gateway::ServerConfig config, Duration deadline, ServerDefinitions* into) {
  auto options = gateway::upstream_options(config);
  use_login(options.client.http, config);
  options.client.timeouts = {.idle = deadline, .total = deadline};
  options.client.discover_timeout = std::min(options.client.discover_timeout, deadline / 3);
  gateway::Upstream server(loop, short_lived_endpoint(config), std::move(options));
  const auto taken = co_await with_deadline(loop.timers, Deadline::in(deadline), fetch_definition_lists(server, into));
  co_await server.stop();
  into->answers = taken.has_value();
  if (taken) co_return;
  const bool late = taken.error().kind == ErrorKind::timeout;
  into->error = late ? "no response within " + write_duration(deadline)
                     : config::SecretMask().value("error", taken.error().message);
}

}  // namespace

std::vector<ServerDefinitions> fetch_definitions(const std::vector<gateway::ServerConfig>& servers, Duration deadline) {
  std::vector<ServerDefinitions> all;
  for (const auto& server : servers) all.push_back({.server = server.name});
  run_for_each(servers.size(), [&](EventLoop loop, std::size_t index) {
    return fetch_from_server(std::move(loop), servers[index], deadline, &all[index]);
  });
  return all;
}

}  // namespace fairlead::cli
