#include "cli/listening.hpp"

#include <charconv>
#include <fairlead/auth/keyring.hpp>
#include <utility>

namespace fairlead::cli {
namespace {

Result<void> add_keys(const gateway::ListenConfig& config, http::ListenOptions& options) {
  std::vector<auth::Key> keys;
  if (!config.keys_file.empty()) {
    auto read = auth::read_keys(config.keys_file);
    if (!read) return fail(ErrorKind::invalid, config.keys_file + ": " + read.error().message);
    keys = std::move(*read);
  }
  for (const auto& [principal, sha256] : config.keys) keys.push_back({principal, sha256});
  if (keys.empty() && config.keys_file.empty()) return {};
  auto keyring = auth::Keyring::make(std::move(keys));
  if (!keyring) return std::unexpected(std::move(keyring.error()));
  options.gates.push_back(std::make_shared<const auth::Keyring>(std::move(*keyring)));
  options.authenticated = true;
  return {};
}

}  // namespace

Result<http::ListenOptions> listen_options(const gateway::ListenConfig& config) {
  http::ListenOptions options;
  options.host = config.host;
  options.port = config.port;
  if (!config.tls.cert.empty()) {
    options.tls.emplace(http::TlsServerOptions{
        .certificate_file = config.tls.cert, .key_file = config.tls.key, .client_ca_file = config.tls.client_ca});
    options.authenticated = !config.tls.client_ca.empty();
  }
  options.guard.hosts = config.allow_hosts;
  options.cors.origins = config.allow_origins;
  options.insecure = config.insecure;
  if (auto added = add_keys(config, options); !added) return std::unexpected(std::move(added.error()));
  return options;
}

Result<std::uint16_t> read_port(const std::string& text) {
  std::uint16_t port = 0;
  const auto* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, port);
  if (error == std::errc() && read == end) return port;
  return fail(ErrorKind::invalid, "--port: '" + text + "' is no number from 0 to 65535");
}

}  // namespace fairlead::cli
