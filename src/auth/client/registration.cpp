#include "auth/client/registration.hpp"

#include <chrono>
#include <fairlead/json/codec.hpp>

#include "auth/client/token_request.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration registration_timeout = std::chrono::seconds{15};

struct RegistrationRequest {
  std::string client_name = {};
  std::vector<std::string> redirect_uris = {};
  std::string application_type = "native";
  std::vector<std::string> grant_types = {};
  std::vector<std::string> response_types = {"code"};
  std::string token_endpoint_auth_method = {};
  std::string software_id = "fairlead";
};

struct RegistrationResponse {
  std::string client_id = {};
  std::optional<std::string> client_secret = {};
  std::optional<std::int64_t> client_secret_expires_at = {};
  std::optional<std::string> token_endpoint_auth_method = {};
  std::optional<std::string> registration_access_token = {};
  std::optional<std::string> registration_client_uri = {};
};

// A public client, unless the server only has clients with a secret.
std::string preferred_method(const ServerMetadata& server) {
  const auto& offered = server.token_endpoint_auth_methods_supported;
  if (!offered || offered->empty() || lists(offered, "none")) return "none";
  if (lists(offered, "client_secret_basic")) return "client_secret_basic";
  return lists(offered, "client_secret_post") ? "client_secret_post" : offered->front();
}

Error no_registration(const std::string& issuer, const std::string& redirect_uri) {
  return {.kind = ErrorKind::refused,
          .message = "the authorization server " + issuer +
                     " does not register clients by itself; register one there "
                     "with the redirect URI " +
                     redirect_uri + " and set its client id",
          .cause = cause_registration_refused};
}

// A reply cannot send our later requests about the registration to another origin.
std::string own_address(const std::optional<std::string>& address, const std::string& endpoint) {
  const auto ours = http::parse_url(endpoint);
  const auto theirs = http::parse_url(address.value_or(""));
  return ours && theirs && theirs->same_origin(*ours) ? *address : std::string();
}

Result<Registration> read_registration(const http::ClientResponse& response, const std::string& endpoint,
                                       std::string redirect_uri) {
  if (response.status != 200 && response.status != 201) {
    auto error = endpoint_error("registration", response);
    error.message += "; register a client at the authorization server and set its client id";
    error.cause = cause_registration_refused;
    return std::unexpected(std::move(error));
  }
  auto text = json::Payload::parse(response.body);
  auto read = text ? json::decode<RegistrationResponse>(*text) : Result<RegistrationResponse>();
  if (!read || read->client_id.empty()) {
    return fail(ErrorKind::malformed, "the registration endpoint sent no client id");
  }
  return Registration{.client_id = std::move(read->client_id),
                      .client_secret = read->client_secret.value_or(""),
                      .auth_method = read->token_endpoint_auth_method.value_or(""),
                      .redirect_uri = std::move(redirect_uri),
                      .secret_expires_at = read->client_secret_expires_at.value_or(0),
                      .registration_access_token = read->registration_access_token.value_or(""),
                      .registration_client_uri = own_address(read->registration_client_uri, endpoint)};
}

std::string registration_body(const OAuthOptions& options, const ServerMetadata& server,
                              const std::string& redirect_uri) {
  RegistrationRequest body{.client_name = options.client_name, .redirect_uris = {redirect_uri}};
  const bool is_device = options.grant == Grant::device;
  body.grant_types = {is_device ? "urn:ietf:params:oauth:grant-type:device_code" : "authorization_code",
                      "refresh_token"};
  body.token_endpoint_auth_method = preferred_method(server);
  return json::encode(body);
}

Task<Result<Registration>> register_client(EventLoop loop, const OAuthOptions& options, const Discovered& found,
                                           std::string redirect_uri) {
  auto request = post_request(*found.server.registration_endpoint, "application/json");
  request.body = registration_body(options, found.server, redirect_uri);
  auto response = co_await fetch_direct(loop, options.http, std::move(request), registration_timeout);
  if (!response) co_return fail(response.error().kind, "cannot register a client: " + response.error().message);
  co_return read_registration(*response, *found.server.registration_endpoint, std::move(redirect_uri));
}

bool is_usable(const Registration& client, const std::string& redirect_uri) {
  using namespace std::chrono;
  const auto now = duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
  const bool expired = client.secret_expires_at != 0 && client.secret_expires_at <= now;
  return !client.client_id.empty() && client.redirect_uri == redirect_uri && !expired;
}

}  // namespace

bool uses_metadata_document(const OAuthOptions& options, const Discovered& found) {
  return options.client_id.empty() && !options.client_metadata_url.empty() &&
         found.server.client_id_metadata_document_supported.value_or(false);
}

Task<Result<Registration>> choose_client(EventLoop loop, const OAuthOptions& options, const Discovered& found,
                                         std::string redirect_uri, std::optional<Stored> stored) {
  if (!options.client_id.empty()) {
    co_return Registration{
        .client_id = options.client_id, .client_secret = options.client_secret, .redirect_uri = redirect_uri};
  }
  // Before the document: the server may have refused it, and the user would have to sign in twice each time.
  const bool is_registered = stored && stored->issuer == found.issuer && is_usable(stored->client, redirect_uri);
  if (is_registered && stored->client.client_id != options.client_metadata_url) co_return std::move(stored->client);
  if (uses_metadata_document(options, found)) {
    co_return Registration{
        .client_id = options.client_metadata_url, .auth_method = "none", .redirect_uri = redirect_uri};
  }
  if (!found.server.registration_endpoint) co_return std::unexpected(no_registration(found.issuer, redirect_uri));
  co_return co_await register_client(loop, options, found, std::move(redirect_uri));
}

}  // namespace fairlead::auth
