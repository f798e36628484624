#include "gateway/model/config_secrets.hpp"

#include <algorithm>
#include <fairlead/base/base64.hpp>
#include <fairlead/base/redactor.hpp>

#include "base/redact/secret_variables.hpp"
#include "config/secret_mask.hpp"

namespace fairlead::gateway {
namespace {

void add_one_secret(std::vector<std::string>& secrets, std::string_view value) {
  if (value.size() >= Redactor::shortest_secret) secrets.emplace_back(value);
}

// `user:password@` of a URL is sent in base64.
void add_userinfo(std::vector<std::string>& secrets, std::string_view url) {
  const auto begin = url.find("//");
  if (begin == std::string_view::npos) return;
  const auto authority = url.substr(begin + 2, url.find_first_of("/?#", begin + 2) - begin - 2);
  const auto at = authority.rfind('@');
  if (at == std::string_view::npos) return;
  const auto userinfo = authority.substr(0, at);
  add_one_secret(secrets, base64_encode(userinfo));
  if (const auto colon = userinfo.find(':'); colon != std::string_view::npos) {
    add_one_secret(secrets, userinfo.substr(colon + 1));
  }
}

void add_query(std::vector<std::string>& secrets, std::string_view url, const config::SecretMask& mask) {
  const auto begin = url.find('?');
  auto rest = begin == std::string_view::npos ? std::string_view() : url.substr(begin + 1);
  while (!rest.empty()) {
    const auto one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const auto equals = std::min(one.find('='), one.size());
    const auto value = one.substr(std::min(equals + 1, one.size()));
    if (mask.hides_setting(one.substr(0, equals), value)) add_one_secret(secrets, value);
  }
}

void add_secrets_of(std::vector<std::string>& secrets, const ChainConfig& chain) {
  const config::SecretMask mask;
  for (const auto& step : chain) {
    for (const auto& [name, value] : step.arguments) {
      const auto shown = step.name == "headers" ? mask.header(name, value) : mask.value(name, value);
      if (shown == Redactor::mark) add_secrets(secrets, value);
    }
  }
}

}  // namespace

void add_secrets(std::vector<std::string>& secrets, const std::string& value) {
  add_one_secret(secrets, value);
  // The token of `Bearer <token>` is a secret without its scheme too.
  if (const auto space = value.rfind(' '); space != std::string::npos) add_one_secret(secrets, value.substr(space + 1));
}

void add_inherited_secrets(std::vector<std::string>& secrets) {
  for (const auto& value : environment_secrets()) add_one_secret(secrets, value);
}

std::vector<std::string> secrets_of(const ServerConfig& config) {
  const config::SecretMask mask;
  std::vector<std::string> secrets;
  for (const auto& [name, value] : config.headers) add_secrets(secrets, value);
  for (const auto& [name, value] : config.env) {
    if (mask.hides_setting(name, value)) add_secrets(secrets, value);
  }
  if (config.auth.oauth) {
    add_one_secret(secrets, config.auth.oauth->client_secret);
    add_one_secret(secrets, config.auth.oauth->identity_provider.client_secret);
  }
  add_userinfo(secrets, config.url);
  add_query(secrets, config.url, mask);
  if (config.url.empty() && config.inherit_env) add_inherited_secrets(secrets);
  // Longest first: redacting a shorter secret must not leave a part of a longer one.
  std::ranges::sort(secrets, std::ranges::greater(), &std::string::size);
  return secrets;
}

std::vector<std::string> secrets_in_logs(const GatewayConfig& config) {
  std::vector<std::string> secrets;
  add_secrets_of(secrets, config.chain);
  for (const auto& [name, value] : config.trace.headers) add_secrets(secrets, value);
  for (const auto& issuer : config.listen.oauth.issuers) {
    if (issuer.introspection) add_one_secret(secrets, issuer.introspection->client_secret);
  }
  add_one_secret(secrets, config.listen.oauth.dpop.nonce_secret);
  add_one_secret(secrets, config.listen.oauth.sign_in.client_secret);
  for (const auto& server : config.servers) {
    add_secrets_of(secrets, server.chain);
    for (auto& secret : secrets_of(server)) secrets.push_back(std::move(secret));
  }
  add_inherited_secrets(secrets);
  return secrets;
}

std::vector<std::string> known_secrets(const GatewayConfig& config) {
  auto secrets = secrets_in_logs(config);
  for (const auto& server : config.servers) {
    for (const auto& [name, value] : server.env) secrets.push_back(value);
  }
  return secrets;
}

}  // namespace fairlead::gateway
