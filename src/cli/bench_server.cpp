#include "cli/bench_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <variant>

#include "cli/output.hpp"
#include "cli/servers_file.hpp"
#include "gateway/explain/call_target.hpp"
#include "gateway/upstream/backend_factory.hpp"

namespace fairlead::cli {
namespace {

const protocol::Revision* configured_revision(const gateway::ServerConfig& server) {
  if (!server.revision.empty()) return protocol::find_revision(server.revision);
  if (server.era == client::EraPreference::stateless) return &protocol::newest();
  return server.era == client::EraPreference::handshake ? &protocol::newest_handshake() : nullptr;
}

}  // namespace

Result<BenchServer> bench_server_from_url(const std::string& url, const UrlOptions& at) {
  auto http = http_client_options(at);
  if (!http) return std::unexpected(std::move(http.error()));
  auto headers = http->headers;
  if (!at.bearer.empty()) headers.push_back({"Authorization", "Bearer " + at.bearer});
  auto target = load::target_at(url, std::move(headers), http->http.tls);
  if (!target) return std::unexpected(std::move(target.error()));
  auto name = target->url->redacted();
  return BenchServer{
      .target = std::move(*target), .endpoint = url, .http = std::move(*http), .display_name = std::move(name)};
}

Result<BenchServer> bench_server_from_command(const std::vector<std::string>& command) {
  transport::ChildOptions child{.command = command};
  child.on_stderr = [](std::string_view line) { print_stderr(line); };
  return BenchServer{
      .target = {.child = child}, .endpoint = child, .display_name = fmt::format("{}", fmt::join(command, " "))};
}

Result<BenchServer> bench_server_from_config(const gateway::ServerConfig& server) {
  auto options = gateway::upstream_options(server);
  const auto endpoint = gateway::endpoint_of(server);
  auto& http = options.client.http;
  const auto* const child = std::get_if<transport::ChildOptions>(&endpoint.location());
  auto target = child ? load::LoadTarget{.child = *child} : load::target_at(server.url, http.headers, http.http.tls);
  if (!target) return std::unexpected(std::move(target.error()));
  return BenchServer{.target = std::move(*target),
                     .endpoint = endpoint,
                     .http = std::move(http),
                     .display_name = gateway::server_address(server),
                     .secrets = std::move(options.secrets),
                     .revision = configured_revision(server)};
}

Result<BenchServer> bench_server_from_argument(const std::string& word, const UrlOptions& at,
                                               const std::vector<std::string>& files) {
  if (is_url(word)) return bench_server_from_url(word, at);
  const auto loaded = load_servers(files);
  if (!loaded) return std::unexpected(loaded.error());
  const auto found = find_server(loaded->config, word);
  if (!found) return std::unexpected(found.error());
  return bench_server_from_config(*found);
}

}  // namespace fairlead::cli
