#include "gateway/app/listen_options.hpp"

#include <fairlead/auth/api_keys.hpp>
#include <utility>

#include "gateway/app/reachable_url.hpp"
#include "gateway/upstream/sign_in_pages.hpp"
#include "http/address.hpp"

namespace fairlead::gateway {

std::vector<std::string> open_paths(const ListenConfig& config) {
  std::vector<std::string> paths;
  // Browsers have no credentials. The pages verify their users themselves.
  for (const auto& path : {config.paths.health, config.paths.ready, std::string(sign_in_start_path),
                           std::string(sign_in_verified_path), std::string(sign_in_callback_path)}) {
    paths.push_back(config.base_path + path);
  }
  return paths;
}

Result<std::shared_ptr<const auth::ApiKeyCheck>> key_check(const ListenConfig& config) {
  std::vector<auth::ApiKey> keys;
  if (!config.keys_file.empty()) {
    auto read = auth::read_api_keys(config.keys_file);
    if (!read) return fail(ErrorKind::invalid, config.keys_file + ": " + read.error().message);
    keys = std::move(*read);
  }
  for (const auto& [principal, sha256] : config.keys) keys.push_back({principal, sha256});
  if (keys.empty() && config.keys_file.empty()) return nullptr;
  auto check = auth::ApiKeyCheck::make(std::move(keys), {.open_paths = open_paths(config)});
  if (!check) return std::unexpected(std::move(check.error()));
  return std::make_shared<const auth::ApiKeyCheck>(std::move(*check));
}

namespace {

/// Clients send the port in the Host header unless it is the scheme's default: allow both forms of each host.
std::vector<std::string> served_hosts(const ListenConfig& config) {
  auto hosts = config.allow_hosts;
  for (const auto& host : config.allow_hosts) {
    if (host != "*" && !has_port(host)) hosts.push_back(host + ":" + std::to_string(config.port));
  }
  const auto authority = config.public_url.find("://");
  if (authority != std::string::npos) hosts.push_back(config.public_url.substr(authority + 3));
  return hosts;
}

Result<void> check_reach(const http::ListenOptions& options) {
  if (http::is_loopback(options.host) || options.authenticated || options.insecure) return {};
  return fail(ErrorKind::invalid, "refusing to listen on " + options.host +
                                      R"(, which other machines can reach, without authentication.
Use one of these:
  --keys <file>           clients must send a key; fairlead key <name> --keys <file> creates one
  --tls-client-ca <file>  clients must present a certificate (with --tls-cert and --tls-key)
  listen.oauth            clients must send an OAuth token (in a file)
  --insecure              no authentication: every client that reaches the port may call every tool
or listen on 127.0.0.1. In a file: listen.keys_file, listen.tls.client_ca, listen.insecure.)");
}

}  // namespace

Result<http::ListenOptions> listen_options(const ListenConfig& config) {
  http::ListenOptions options;
  options.host = config.host;
  options.port = config.port;
  if (!config.tls.cert.empty()) {
    options.tls.emplace(http::TlsServerOptions{
        .certificate_file = config.tls.cert, .key_file = config.tls.key, .client_ca_file = config.tls.client_ca});
    options.authenticated = !config.tls.client_ca.empty();
  }
  options.host_origin.hosts = served_hosts(config);
  options.cors.origins = config.allow_origins;
  options.insecure = config.insecure;
  if (config.oauth.enabled()) {
    // The check itself is added by the caller; it also accepts the keys.
    options.authenticated = true;
  } else {
    auto keys = key_check(config);
    if (!keys) return std::unexpected(std::move(keys.error()));
    if (*keys) options.access_checks.push_back(std::move(*keys));
    if (!options.access_checks.empty()) options.authenticated = true;
  }
  if (auto safe = check_reach(options); !safe) return std::unexpected(std::move(safe.error()));
  return options;
}

}  // namespace fairlead::gateway
