#include "auth/client/oauth_errors.hpp"
#include "auth/client/oauth_source.hpp"
#include "http/url.hpp"

namespace fairlead::auth {

Error OAuthSource::rejected(const Challenge& why) const {
  if (why.status == 403) return insufficient_scope(why.scope);
  return token_refused(known_issuer(), login_ ? login_->resource : std::string());
}

Error OAuthSource::sign_in_needed(Error error, const std::string& scope) const {
  if (error.subject.empty()) return error;
  const auto url = http::parse_url(options_.server);
  const auto server = url ? url->redacted() : options_.server;
  if (error.cause == cause_sign_in_needed) error.message = server + " requires a sign-in";
  error.message += "; run: " + error.subject + " " + server;
  if (!scope.empty() && !scope.contains('\'')) error.message += " --scope '" + scope + "'";
  return error;
}

bool OAuthSource::wants_dpop(const Discovered& found, const Challenge& why) const {
  if (options_.dpop == Dpop::never) return false;
  if (options_.dpop == Dpop::always) return true;
  const bool by_resource = why.dpop || found.resource.dpop_bound_access_tokens_required.value_or(false) ||
                           found.resource.dpop_signing_alg_values_supported;
  return by_resource && lists(found.server.dpop_signing_alg_values_supported, "ES256");
}

}  // namespace fairlead::auth
