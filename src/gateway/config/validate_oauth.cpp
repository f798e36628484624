#include "gateway/config/validate_oauth.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "config/source.hpp"
#include "http/address.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

using Report = std::function<void(const std::string& key_path, std::string_view message)>;

bool is_issuer_url(const std::string& text) {
  const auto url = http::parse_url(text);
  if (!url || text.find_first_of("?#") != std::string::npos) return false;
  return url->scheme == "https" ||
         (url->scheme == "http" && (url->host == "localhost" || http::is_loopback(url->host)));
}

void check_issuer(const auth::TrustedIssuer& issuer, const std::string& path, const Report& error) {
  // With a file nothing is fetched, so that any name will do.
  if (issuer.jwks_file.empty() && !is_issuer_url(issuer.issuer)) {
    error(path, fmt::format("'{}' is not the URL of an issuer: use https, or set jwks_file", issuer.issuer));
  }
  if (issuer.issuer.empty()) error(path, "needs the issuer, exactly as in its tokens (iss)");
  if (issuer.introspection && issuer.introspection->client_id.empty()) {
    error(path + ".introspection", "needs the client_id of this gateway at the issuer");
  }
}

// The token is for this gateway: a server that gets it could use it here.
void check_chain(const ChainConfig& chain, const std::string& path, const Report& error) {
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (chain[i].name != "headers") continue;
    for (const auto& [name, value] : chain[i].arguments) {
      const auto header = std::string_view(value).substr(0, value.find(':'));
      const bool is_token = protocol::same_header(header, "authorization") || protocol::same_header(header, "dpop");
      if (name == "forward" && is_token) {
        error(fmt::format("{}[{}]", path, i),
              "must not forward the token that listen.oauth checks: it is meant for this gateway only. Use the "
              "server's auth setting instead");
      }
    }
  }
}

}  // namespace

void check_oauth(const GatewayConfig& config, const Report& error) {
  const auto& listen = config.listen;
  if (!listen.http) error("listen.oauth", "needs listen.http");
  if (listen.public_url.empty()) {
    error("listen.oauth", "needs listen.public_url, the URL that clients use: their tokens are issued for it");
  }
  const auto& oauth = listen.oauth;
  if (oauth.issuers.empty())
    error("listen.oauth", "needs issuers: the authorization servers whose tokens are accepted");
  for (std::size_t i = 0; i < oauth.issuers.size(); ++i) {
    check_issuer(oauth.issuers[i], fmt::format("listen.oauth.issuers[{}]", i), error);
  }
  const auto introspects = [](const auth::TrustedIssuer& issuer) { return issuer.introspection.has_value(); };
  if (std::ranges::count_if(oauth.issuers, introspects) > 1) {
    error("listen.oauth.issuers", "only one issuer may have introspection: an opaque token does not name its issuer");
  }
  const auto& client = oauth.sign_in;
  const auto is_its_issuer = [&](const auth::TrustedIssuer& issuer) { return issuer.issuer == client.issuer; };
  if (!client.issuer.empty() && std::ranges::none_of(oauth.issuers, is_its_issuer)) {
    error("listen.oauth.sign_in.issuer", fmt::format("'{}' is not one of listen.oauth.issuers", client.issuer));
  }
  if (!client.client_secret.empty() && client.client_id.empty()) {
    error("listen.oauth.sign_in", "has a client_secret but no client_id");
  }
  if (const auto scopes = auth::ScopePolicy::make(oauth.scopes); !scopes) {
    error("listen.oauth.scopes", scopes.error().message);
  }
  if (oauth.skew < Duration::zero() || oauth.skew > std::chrono::minutes{5}) {
    error("listen.oauth.skew", "expected 0 to 5m");
  }
  check_chain(config.chain, "chain", error);
  for (const auto& server : config.servers) {
    check_chain(server.chain, config::below(config::below("servers", server.name), "chain"), error);
  }
}

}  // namespace fairlead::gateway
