#include "auth/client/flow.hpp"

#include <chrono>
#include <fairlead/base/base64.hpp>

#include "auth/client/registration.hpp"
#include "crypto/digest.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

void report_secret(const OAuthOptions& options, std::string_view secret) {
  if (options.on_secret && !secret.empty()) options.on_secret(secret);
}

void report_token(const OAuthOptions& options, const TokenResponse& token) {
  report_secret(options, token.access_token);
  report_secret(options, token.refresh_token.value_or(""));
  report_secret(options, token.id_token.value_or(""));
}

std::int64_t now_in_seconds() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

std::string authorization_url(const Authorization& input, const Registration& client, const Pending& pending) {
  const auto& endpoint = *input.found.server.authorization_endpoint;
  Form query;
  query.add("response_type", "code").add("client_id", client.client_id).add("redirect_uri", client.redirect_uri);
  query.add("state", pending.state).add("code_challenge_method", "S256");
  query.add("code_challenge", base64_encode(crypto::sha256(pending.verifier), Base64::url));
  query.add("resource", resource_parameter(input.options, input.found)).add("scope", input.scope);
  // OpenID providers give no refresh token without consent.
  if (scope_contains(input.scope, "offline_access")) query.add("prompt", "consent");
  for (const auto& [name, value] : input.options.params) query.add(name, value);
  return endpoint + (endpoint.contains('?') ? "&" : "?") + query.text();
}

// RFC 9207: compared as bytes, before anything else of the response is used.
Result<void> check_issuer(const Form& answer, const Discovered& found) {
  const auto issuer = answer.get("iss");
  const bool announced = found.server.authorization_response_iss_parameter_supported.value_or(false);
  if (issuer.empty() && !announced) return {};
  if (issuer == found.issuer) return {};
  return fail(ErrorKind::refused, "the authorization response does not come from " + found.issuer +
                                      (issuer.empty() ? ": it names no issuer" : ": it names another issuer") +
                                      "; its code was not used");
}

}  // namespace

Result<std::string> read_callback(std::string_view url, const std::string& redirect_uri, const Pending& pending,
                                  const Discovered& found) {
  const auto question = url.find('?');
  if (url.substr(0, question) != redirect_uri) {
    return fail(ErrorKind::refused, "the authorization response did not arrive at " + redirect_uri);
  }
  const auto query = question == std::string_view::npos ? std::string_view() : url.substr(question + 1);
  const auto answer = Form::parse(query.substr(0, query.find('#')));
  if (!answer) return std::unexpected(answer.error());
  if (answer->get("state") != pending.state) {
    return fail(ErrorKind::refused, "the authorization response belongs to another sign-in; sign in again");
  }
  if (auto checked = check_issuer(*answer, found); !checked) return std::unexpected(std::move(checked.error()));
  if (const auto error = answer->get("error"); !error.empty()) {
    Error refused{.kind = ErrorKind::refused, .message = "the authorization server refused: " + std::string(error)};
    refused.subject = error;
    if (const auto text = answer->get("error_description"); !text.empty()) {
      refused.message += " (" + std::string(text) + ")";
    }
    return std::unexpected(std::move(refused));
  }
  if (answer->get("code").empty()) return fail(ErrorKind::malformed, "the authorization response contains no code");
  return std::string(answer->get("code"));
}

namespace {

Task<Result<Stored>> authorize_code(EventLoop loop, Authorization input) {
  const auto earlier = input.stored ? input.stored->client.redirect_uri : std::string();
  auto redirect_uri = co_await input.sign_in.prepare(loop, earlier);
  if (!redirect_uri) co_return std::unexpected(std::move(redirect_uri.error()));
  auto client = co_await choose_client(loop, input.options, input.found, std::move(*redirect_uri), input.stored);
  if (!client) co_return std::unexpected(std::move(client.error()));
  report_secret(input.options, client->client_secret);
  report_secret(input.options, client->registration_access_token);
  if (!input.found.server.authorization_endpoint) {
    co_return fail(ErrorKind::refused, input.found.issuer + " has no authorization endpoint");
  }
  const Pending pending;
  report_secret(input.options, pending.verifier);
  SignInRequest request{.url = authorization_url(input, *client, pending),
                        .redirect_uri = client->redirect_uri,
                        .server = input.options.server,
                        .scope = input.scope};
  auto returned = co_await input.sign_in.show(loop, std::move(request));
  if (!returned) co_return std::unexpected(std::move(returned.error()));
  auto code = read_callback(*returned, client->redirect_uri, pending, input.found);
  if (!code) co_return std::unexpected(std::move(code.error()));
  report_secret(input.options, *code);

  auto dpop_key = dpop_key_for(input);
  if (!dpop_key) co_return std::unexpected(std::move(dpop_key.error()));
  Form form;
  form.add("grant_type", "authorization_code").add("code", *code).add("redirect_uri", client->redirect_uri);
  form.add("code_verifier", pending.verifier).add("resource", resource_parameter(input.options, input.found));
  auto prover = input.use_dpop ? make_dpop_prover(*dpop_key) : nullptr;
  const auto requester = token_client(input.options, input.found, std::move(*client), std::move(prover));
  auto token = co_await request_token(loop, input.options, requester, std::move(form));
  if (!token) co_return std::unexpected(std::move(token.error()));
  co_return make_login(input, requester, std::move(*token), std::move(*dpop_key));
}

}  // namespace

std::string resource_parameter(const OAuthOptions& options, const Discovered& found) {
  if (options.resource == "none") return {};
  if (!options.resource.empty()) return options.resource;
  return found.resource.resource.value_or("");
}

Result<std::string> dpop_key_for(const Authorization& input) {
  if (!input.use_dpop) return std::string();
  auto key = new_dpop_key();
  if (key) report_secret(input.options, *key);
  return key;
}

TokenClient token_client(const OAuthOptions& options, const Discovered& found, Registration client,
                         std::shared_ptr<DpopProver> dpop) {
  return {.endpoint = *found.server.token_endpoint,
          .issuer = found.issuer,
          .client = std::move(client),
          .auth_methods = found.server.token_endpoint_auth_methods_supported,
          .private_key_pem = options.private_key_pem,
          .signing_algorithm = options.signing_algorithm,
          .dpop = std::move(dpop)};
}

Result<Stored> make_login(const Authorization& input, const TokenClient& client, TokenResponse token,
                          std::string dpop_key) {
  const bool is_dpop = client.dpop != nullptr;
  if (auto checked = check_token(token, is_dpop); !checked) return std::unexpected(std::move(checked.error()));
  report_token(input.options, token);
  Stored login{.server = input.options.server, .account = input.options.account, .issuer = input.found.issuer};
  login.resource = resource_parameter(input.options, input.found);
  login.token_endpoint = client.endpoint;
  login.revocation_endpoint = input.found.server.revocation_endpoint.value_or("");
  login.client = client.client;
  login.token_type = is_dpop ? "DPoP" : "Bearer";
  login.access_token = std::move(token.access_token);
  login.refresh_token = token.refresh_token.value_or("");
  login.id_token = token.id_token.value_or("");
  login.scope = token.scope.value_or(input.scope);
  if (token.expires_in) login.expires_at = now_in_seconds() + *token.expires_in;
  if (is_dpop) login.dpop_key = std::move(dpop_key);
  return login;
}

namespace {

Task<Result<Stored>> authorize_by_grant(EventLoop loop, Authorization input) {
  switch (input.options.grant) {
    case Grant::code: return authorize_code(loop, std::move(input));
    case Grant::device: return authorize_device(loop, std::move(input));
    default: return authorize_without_user(loop, std::move(input));
  }
}

// True if the server refused the client metadata document, and a registration can replace it.
bool can_register_instead(const Authorization& input, const Error& error) {
  const auto& server = input.found.server;
  return uses_metadata_document(input.options, input.found) && server.registration_endpoint &&
         (error.subject == "invalid_client" || error.subject == "unauthorized_client" ||
          error.subject == "invalid_client_metadata" || error.subject == "invalid_redirect_uri");
}

}  // namespace

Task<Result<Stored>> authorize(EventLoop loop, Authorization input) {
  auto login = co_await authorize_by_grant(loop, input);
  if (login || !can_register_instead(input, login.error())) co_return login;
  // Servers announce documents that they cannot fetch, or whose redirect URIs without a port they do not accept.
  input.found.server.client_id_metadata_document_supported = false;
  co_return co_await authorize_by_grant(loop, std::move(input));
}

Task<Result<Stored>> refresh(EventLoop loop, const OAuthOptions& options, Stored login,
                             std::shared_ptr<DpopProver> dpop, std::optional<std::vector<std::string>> auth_methods) {
  Form form;
  form.add("grant_type", "refresh_token").add("refresh_token", login.refresh_token).add("resource", login.resource);
  TokenClient client{.endpoint = login.token_endpoint, .issuer = login.issuer, .client = login.client};
  client.auth_methods = std::move(auth_methods);
  client.private_key_pem = options.private_key_pem;
  client.signing_algorithm = options.signing_algorithm;
  client.dpop = std::move(dpop);
  auto token = co_await request_token(loop, options, client, form);
  const auto again = [&] { return !token && token.error().code == 400 && token.error().subject != "invalid_grant"; };
  if (again() && !login.resource.empty()) {
    form.remove("resource");
    token = co_await request_token(loop, options, client, form);
  }
  if (again() && !login.scope.empty()) {
    form.add("scope", login.scope);
    token = co_await request_token(loop, options, client, form);
  }
  if (!token) co_return std::unexpected(std::move(token.error()));
  const auto checked = check_token(*token, client.dpop != nullptr);
  if (!checked) co_return std::unexpected(checked.error());
  report_token(options, *token);
  login.access_token = std::move(token->access_token);
  if (token->refresh_token) login.refresh_token = std::move(*token->refresh_token);
  if (token->scope) login.scope = std::move(*token->scope);
  login.expires_at = token->expires_in ? now_in_seconds() + *token->expires_in : 0;
  co_return login;
}

}  // namespace fairlead::auth
