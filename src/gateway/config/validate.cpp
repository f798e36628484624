#include "gateway/config/validate.hpp"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "gateway/config/address_syntax.hpp"
#include "gateway/config/config_checks.hpp"
#include "gateway/config/fields.hpp"
#include "gateway/config/validate_auth.hpp"
#include "gateway/config/validate_oauth.hpp"

namespace fairlead::gateway {
namespace {

class ConfigValidator : ConfigChecks {
 public:
  using ConfigChecks::ConfigChecks;

  void run() {
    each_server([this](const ServerConfig& server, const std::string& key_path) { check_server(server, key_path); });
    check_prefixes();
    check_listen(config_.listen);
    if (config_.naming.separator.size() >= config_.naming.max_length) {
      error("naming.max_length", "must be larger than the separator; most clients accept 64");
    }
    // The sealed request state expires after 10 minutes.
    const auto timeout = config_.pending_input.timeout;
    if (timeout <= Duration{} || timeout > std::chrono::minutes{10}) {
      error("pending_input.timeout", "expected more than 0 and at most 10m");
    }
    if (config_.server_request_timeout <= Duration{})
      error("server_request_timeout", "must be more than 0; the default is 5m");
    if (config_.spawn_concurrency == 0) error("spawn_concurrency", "must be at least 1");
  }

 private:
  void check_server(const ServerConfig& server, const std::string& key_path) {
    const bool nowhere = server.command.empty() && server.url.empty();
    if (nowhere) return error(key_path, "needs a command or a url");
    for (const auto& field : config::Fields<ServerConfig>::all) check_use(server, key_path, field.name);
    if (!server.url.empty()) check_url(server, key_path);
    check_pair(config::below(key_path, "cert"), server.cert, config::below(key_path, "key"), server.key);
    if (server.max_in_flight == 0) error(config::below(key_path, "max_in_flight"), "must be at least 1");
  }

  // Defaults are never out of place.
  void check_use(const ServerConfig& server, const std::string& key_path, std::string_view key) {
    const auto path = config::below(key_path, key);
    if (applies_to(server, key) || !sources_.find(path)) return;
    error(path, server.url.empty() ? "is for servers with a url; this one has a command"
                                   : "is for servers with a command; this one has a url");
  }

  void check_url(const ServerConfig& server, const std::string& key_path) {
    if (const auto right = check_server_url(server.url, server.url); !right) {
      error(config::below(key_path, "url"), right.error().message);
    }
  }

  void check_prefixes() {
    std::map<std::string, std::string> owners;
    each_server([&](const ServerConfig& server, const std::string& key_path) {
      if (server.prefix.empty()) return;
      const auto [owner, added] = owners.emplace(server.prefix, server.name);
      if (added) return;
      error(config::below(key_path, "prefix"), fmt::format("{} is already the prefix of {}; give each server its own",
                                                           config::value_in_quotes(server.prefix), owner->second));
    });
  }

  void check_pair(const std::string& cert_path, const std::string& cert, const std::string& private_key_path,
                  const std::string& key) {
    if (cert.empty() == key.empty() || diagnostics_.is_invalid(cert_path) || diagnostics_.is_invalid(private_key_path))
      return;
    error(cert.empty() ? private_key_path : cert_path, together);
  }

  void check_listen(const ListenConfig& listen) {
    if (!listen.http && !listen.stdio && listen.unix_socket.empty()) {
      error("listen", "has no listener; enable http, stdio or unix");
    }
    check_pair("listen.tls.cert", listen.tls.cert, "listen.tls.key", listen.tls.key);
    if (listen.tls.cert.empty() && !listen.tls.client_ca.empty() && !diagnostics_.is_invalid("listen.tls.cert")) {
      error("listen.tls.client_ca", "needs listen.tls.cert and listen.tls.key");
    }
    check_paths(listen.paths);
    if (listen.oauth.enabled()) check_oauth(config_, [this](const auto& path, auto why) { error(path, why); });
  }

  void check_paths(const transport::HttpPaths& paths) {
    const std::pair<const char*, const std::string&> all[] = {{"mcp", paths.mcp},
                                                              {"sse", paths.sse},
                                                              {"messages", paths.messages},
                                                              {"rpc", paths.rpc},
                                                              {"rpc_stream", paths.rpc_stream},
                                                              {"ws", paths.ws},
                                                              {"health", paths.health},
                                                              {"ready", paths.ready}};
    std::map<std::string, std::string> owners;
    for (const auto& [name, path] : all) {
      if (path.empty()) continue;
      const auto [owner, added] = owners.emplace(path, name);
      if (!added) error(config::below("listen.paths", name), fmt::format("is already the path of {}", owner->second));
    }
    const auto owner = owners.find(config_.metrics);
    if (owner != owners.end()) error("metrics", fmt::format("is already the path of {}", owner->second));
  }

  static constexpr std::string_view together = "needs both cert and key";
};

}  // namespace

void validate(const GatewayConfig& config, const config::Sources& sources, config::Diagnostics& diagnostics) {
  ConfigValidator(config, sources, diagnostics).run();
  validate_auth(config, sources, diagnostics);
}

}  // namespace fairlead::gateway
