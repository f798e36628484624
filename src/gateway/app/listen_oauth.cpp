#include "gateway/app/listen_oauth.hpp"

#include "gateway/app/listen_options.hpp"

namespace fairlead::gateway {

auth::OAuthCheckOptions oauth_options(const GatewayConfig& config) {
  const auto& listen = config.listen;
  const auto& oauth = listen.oauth;
  const auto root = listen.public_url + listen.base_path;
  auth::OAuthCheckOptions options{.resource = root + listen.paths.mcp, .issuers = oauth.issuers};
  for (const auto& server : config.servers) {
    const auto prefix = "/s/" + server.name;
    options.endpoints.push_back({.path = listen.base_path + prefix, .resource = root + prefix + listen.paths.mcp});
  }
  options.scopes = oauth.scopes;
  options.dpop = oauth.dpop;
  options.algorithms = oauth.algorithms;
  options.skew = std::chrono::duration_cast<std::chrono::seconds>(oauth.skew);
  options.principal_claim = oauth.principal_claim;
  options.resource_name = oauth.name;
  options.certificate_bound_tokens = !listen.tls.client_ca.empty();
  options.http.tls.ca_file = oauth.cacert;
  options.open_paths = sign_in_paths(listen);
  options.open_paths.push_back(listen.base_path + listen.paths.health);
  options.open_paths.push_back(listen.base_path + listen.paths.ready);
  return options;
}

Result<std::shared_ptr<const auth::OAuthCheck>> listen_oauth(const GatewayConfig& config, LogSink& log) {
  auto options = oauth_options(config);
  auto keys = key_check(config.listen);
  if (!keys) return std::unexpected(std::move(keys.error()));
  options.keys = std::move(*keys);
  options.log = &log;
  auto check = auth::OAuthCheck::make(std::move(options));
  if (!check) return fail(check.error().kind, "listen.oauth: " + check.error().message);
  return check;
}

}  // namespace fairlead::gateway
