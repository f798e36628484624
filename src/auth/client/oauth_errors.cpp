#include "auth/client/oauth_errors.hpp"

#include <fairlead/json/writer.hpp>

namespace fairlead::auth {

std::unexpected<Error> too_often(std::string_view what) {
  return fail(ErrorKind::refused, "stopped after too many " + std::string(what) +
                                      " in 30 seconds; the server does not accept the tokens of its issuer");
}

Error insufficient_scope(const std::string& scope) {
  Error error{.kind = ErrorKind::refused,
              .message = "the server requires more permissions: " + (scope.empty() ? "unknown scopes" : scope) +
                         "; sign in with an account that has them",
              .code = 403,
              .cause = cause_insufficient_scope};
  json::ObjectWriter(error.data).text("scope", scope);
  return error;
}

Error token_refused(const std::string& issuer, const std::string& resource) {
  return {.kind = ErrorKind::refused,
          .message = "the server refused the token that " + (issuer.empty() ? "its issuer" : issuer) +
                     " has just issued for " + (resource.empty() ? "it" : resource) +
                     "; check that the server accepts tokens of this issuer with this audience",
          .code = 401,
          .cause = cause_token_refused};
}

Error issuer_changed(const std::string& before, const std::string& now) {
  return {.kind = ErrorKind::refused,
          .message = "the server now uses the authorization server " + now +
                     ", but the configured client id was used at " + before +
                     "; nothing was sent there. If the change is right, sign in again with a client id of the new one",
          .cause = cause_issuer_changed};
}

std::unexpected<Error> lost_login(std::string message) {
  return std::unexpected(Error{.kind = ErrorKind::refused, .message = std::move(message), .subject = "invalid_grant"});
}

bool needs_sign_in(const Error& error) {
  constexpr std::int64_t too_many_requests = 429;
  constexpr std::int64_t server_error = 500;
  if (error.subject.empty() || error.code >= server_error || error.code == too_many_requests) return false;
  return error.subject != "temporarily_unavailable" && error.subject != "server_error" && error.subject != "slow_down";
}

}  // namespace fairlead::auth
