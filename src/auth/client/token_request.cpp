#include "auth/client/token_request.hpp"

#include <chrono>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/codec.hpp>

#include "auth/jose/jose.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration token_timeout = std::chrono::seconds{45};
constexpr std::string_view assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

std::int64_t unix_seconds() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

Result<std::string> client_assertion(const TokenClient& client) {
  const auto key = jose::Key::from_pem(client.private_key_pem);
  if (!key) return std::unexpected(key.error());
  constexpr std::int64_t lifetime = 300;
  const auto now = unix_seconds();
  std::string claims;
  json::ObjectWriter(claims)
      .text("iss", client.client.client_id)
      .text("sub", client.client.client_id)
      .text("aud", client.issuer)
      .text("jti", random_text(16))
      .raw("iat", std::to_string(now))
      .raw("exp", std::to_string(now + lifetime));
  const auto algorithm = client.signing_algorithm.empty() ? std::string("ES256") : client.signing_algorithm;
  std::string header;
  json::ObjectWriter(header).text("typ", "JWT").text("alg", algorithm);
  return jose::sign(*key, algorithm, header, claims);
}

// The registered method if the server lists it; else what the secret allows. No list means basic.
std::string method_of(const TokenClient& client) {
  const auto& offered = client.auth_methods;
  if (!client.private_key_pem.empty()) return "private_key_jwt";
  const auto& registered = client.client.auth_method;
  if (!registered.empty() && (!offered || lists(offered, registered))) return registered;
  if (client.client.client_secret.empty()) return "none";
  if (!offered || lists(offered, "client_secret_basic")) return "client_secret_basic";
  if (lists(offered, "client_secret_post")) return "client_secret_post";
  return lists(offered, "none") ? "none" : "client_secret_basic";
}

}  // namespace

Error endpoint_error(std::string_view what, const http::ClientResponse& response) {
  struct OAuthError {
    std::optional<std::string> error = {};
    std::optional<std::string> error_description = {};
  };
  Error error{.kind = ErrorKind::refused,
              .message = "the " + std::string(what) + " endpoint answered " + std::to_string(response.status),
              .code = response.status};
  const auto text = json::Payload::parse(response.body);
  const auto details = text ? json::decode<OAuthError>(*text) : Result<OAuthError>();
  if (!details || !details->error) return error;
  error.subject = *details->error;
  error.message += ": " + *details->error;
  if (details->error_description) error.message += " (" + *details->error_description + ")";
  return error;
}

Result<TokenResponse> read_token(const http::ClientResponse& response) {
  if (response.status != 200) return std::unexpected(endpoint_error("token", response));
  auto text = json::Payload::parse(response.body);
  if (!text) return fail(ErrorKind::malformed, "the token endpoint did not answer with JSON");
  auto token = json::decode<TokenResponse>(*text);
  if (!token) return fail(ErrorKind::malformed, "the token response is invalid: " + token.error().message);
  return token;
}

Result<void> check_token(const TokenResponse& token, bool is_bound) {
  const auto type = token.token_type.value_or("Bearer");
  const bool is_dpop = protocol::same_header(type, "DPoP");
  if (!is_dpop && !protocol::same_header(type, "Bearer")) {
    return fail(ErrorKind::refused, "the token endpoint issued a token of the unknown type '" + type + "'");
  }
  if (!is_dpop && is_bound) {
    return fail(ErrorKind::refused,
                "the token endpoint answered a DPoP proof with a token that is not bound to its key");
  }
  if (is_dpop && !is_bound) return fail(ErrorKind::refused, "the token is bound to a DPoP key that was not sent");
  if (token.access_token.empty()) return fail(ErrorKind::malformed, "the token response contains no access token");
  return {};
}

Result<void> authenticate(const TokenClient& client, http::ClientRequest& request, Form& form) {
  const auto method = method_of(client);
  if (method == "private_key_jwt") {
    auto assertion = client_assertion(client);
    if (!assertion) return std::unexpected(std::move(assertion.error()));
    form.add("client_assertion_type", assertion_type).add("client_assertion", *assertion);
    form.add("client_id", client.client.client_id);
  } else if (method == "client_secret_basic") {
    const auto pair = form_encoded(client.client.client_id) + ":" + form_encoded(client.client.client_secret);
    request.headers.push_back({"Authorization", "Basic " + base64_encode(pair)});
  } else {
    form.add("client_id", client.client.client_id);
    if (method == "client_secret_post") form.add("client_secret", client.client.client_secret);
  }
  return {};
}

Task<Result<TokenResponse>> request_token(EventLoop loop, const OAuthOptions& options, TokenClient client, Form form) {
  for (int attempt = 0;; ++attempt) {
    auto request = post_request(client.endpoint, "application/x-www-form-urlencoded");
    auto sent = form;
    if (auto added = authenticate(client, request, sent); !added) co_return std::unexpected(std::move(added.error()));
    if (client.dpop) {
      auto proof = client.dpop->proof("POST", client.endpoint, "");
      if (!proof) co_return std::unexpected(std::move(proof.error()));
      request.headers.push_back({"DPoP", std::move(*proof)});
    }
    request.body = sent.text();
    auto response = co_await fetch_direct(loop, options.http, std::move(request), token_timeout);
    if (!response) {
      co_return fail(response.error().kind, "no answer from " + client.endpoint + ": " + response.error().message);
    }
    if (client.dpop) client.dpop->observe(client.endpoint, *response);
    auto token = read_token(*response);
    if (!token) token.error().message = sent.without_secrets(std::move(token.error().message));
    const bool wants_nonce = !token && token.error().subject == "use_dpop_nonce" && client.dpop && attempt == 0;
    if (!wants_nonce) co_return token;
  }
}

}  // namespace fairlead::auth
