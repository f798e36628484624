#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/json/codec.hpp>

#include "auth/client/flow.hpp"
#include "auth/client/registration.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration device_timeout = std::chrono::seconds(15);

constexpr std::string_view jwt_bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
constexpr std::string_view exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr std::string_view device_code = "urn:ietf:params:oauth:grant-type:device_code";

Result<std::string> current_assertion(const OAuthOptions& options, const std::string& fixed) {
  auto assertion = options.read_assertion ? options.read_assertion() : Result<std::string>(fixed);
  if (assertion && options.on_secret) options.on_secret(*assertion);
  return assertion;
}

// The first leg of enterprise-managed authorization: the identity provider makes an assertion for the issuer.
Task<Result<std::string>> fetch_id_jag(EventLoop loop, const Authorization& input) {
  const auto& provider = input.options.identity_provider;
  TokenClient client{.endpoint = provider.token_endpoint};
  client.client = {.client_id = provider.client_id, .client_secret = provider.client_secret};
  if (provider.client_secret.empty()) client.auth_methods = std::vector<std::string>{"none"};
  auto subject = current_assertion(input.options, provider.id_token);
  if (!subject) co_return std::unexpected(std::move(subject.error()));
  Form form;
  form.add("grant_type", exchange).add("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag");
  form.add("subject_token", *subject).add("subject_token_type", provider.subject_token_type);
  form.add("audience", input.found.issuer).add("resource", resource_parameter(input.options, input.found));
  form.add("scope", input.scope);
  // The operator names the identity provider, so it may be on a private network.
  auto options = input.options;
  options.http.public_only = false;
  auto token = co_await request_token(loop, options, std::move(client), std::move(form));
  if (!token) {
    token.error().message = "the identity provider issued no assertion: " + token.error().message;
    co_return std::unexpected(std::move(token.error()));
  }
  co_return std::move(token->access_token);
}

Form grant_form(const OAuthOptions& options, const std::string& assertion) {
  Form form;
  switch (options.grant) {
    case Grant::client_credentials: form.add("grant_type", "client_credentials"); break;
    case Grant::token_exchange:
      form.add("grant_type", exchange).add("subject_token", assertion).add("audience", options.audience);
      form.add("subject_token_type", "urn:ietf:params:oauth:token-type:access_token");
      break;
    case Grant::on_behalf_of:
      form.add("grant_type", jwt_bearer).add("assertion", assertion).add("requested_token_use", "on_behalf_of");
      break;
    default: form.add("grant_type", jwt_bearer).add("assertion", assertion); break;
  }
  return form;
}

Task<Result<Form>> machine_form(EventLoop loop, const Authorization& input) {
  Result<std::string> assertion;
  if (input.options.grant == Grant::id_jag) {
    assertion = co_await fetch_id_jag(loop, input);
    if (assertion && input.options.on_secret) input.options.on_secret(*assertion);
  } else if (input.options.grant != Grant::client_credentials) {
    assertion = current_assertion(input.options, input.options.assertion);
  }
  if (!assertion) co_return std::unexpected(std::move(assertion.error()));
  auto form = grant_form(input.options, *assertion);
  form.add("resource", resource_parameter(input.options, input.found)).add("scope", input.scope);
  co_return form;
}

struct DeviceResponse {
  std::string device_code = {};
  std::string user_code = {};
  std::string verification_uri = {};
  std::optional<std::string> verification_uri_complete = {};
  std::optional<std::int64_t> expires_in = {};
  std::optional<std::int64_t> interval = {};
};

// A user opens these URLs, and a program may open them for the user.
Result<DeviceResponse> check_device(Result<DeviceResponse> device) {
  const auto is_page = [](const std::string& text) {
    const auto url = http::parse_url(text);
    return url && (url->scheme == "https" || url->scheme == "http");
  };
  if (!device) return device;
  if (is_page(device->verification_uri) && is_page(device->verification_uri_complete.value_or("https://none"))) {
    return device;
  }
  return fail(ErrorKind::refused, "the device authorization endpoint sent a page that is not an http URL");
}

Task<Result<DeviceResponse>> begin_device(EventLoop loop, const Authorization& input, const TokenClient& client) {
  if (!input.found.server.device_authorization_endpoint) {
    co_return fail(ErrorKind::refused,
                   input.found.issuer + " does not support the device flow; sign in with a browser");
  }
  auto request = post_request(*input.found.server.device_authorization_endpoint, "application/x-www-form-urlencoded");
  Form form;
  form.add("scope", input.scope).add("resource", resource_parameter(input.options, input.found));
  if (auto added = authenticate(client, request, form); !added) co_return std::unexpected(std::move(added.error()));
  request.body = form.text();
  auto response = co_await fetch_direct(loop, input.options.http, std::move(request), device_timeout);
  if (!response) co_return std::unexpected(std::move(response.error()));
  if (response->status != 200) co_return std::unexpected(endpoint_error("device authorization", *response));
  auto text = json::Payload::parse(std::move(response->body));
  if (!text) co_return std::unexpected(std::move(text.error()));
  auto device = json::decode<DeviceResponse>(*text);
  if (device && input.options.on_secret) input.options.on_secret(device->device_code);
  co_return check_device(std::move(device));
}

Task<Result<TokenResponse>> poll_device(EventLoop loop, const Authorization& input, TokenClient client,
                                        DeviceResponse device) {
  constexpr std::int64_t usual_interval = 5;
  constexpr std::int64_t longest_interval = 60;
  constexpr std::int64_t usual_lifetime = 600;
  // Limited, so that a server cannot make the client poll without a pause, or never.
  std::chrono::seconds interval{
      std::clamp<std::int64_t>(device.interval.value_or(usual_interval), 1, longest_interval)};
  std::chrono::seconds waited{0};
  while (waited.count() < device.expires_in.value_or(usual_lifetime)) {
    boost::asio::steady_timer timer(loop.executor, interval);
    co_await timer.async_wait(use_task);
    waited += interval;
    Form form;
    form.add("grant_type", device_code).add("device_code", device.device_code);
    form.add("resource", resource_parameter(input.options, input.found));
    auto token = co_await request_token(loop, input.options, client, std::move(form));
    if (token) co_return token;
    if (token.error().subject == "slow_down") interval += std::chrono::seconds{usual_interval};
    if (token.error().subject != "slow_down" && token.error().subject != "authorization_pending") co_return token;
  }
  co_return fail(ErrorKind::timeout, "the device code has expired; sign in again");
}

}  // namespace

Task<Result<Stored>> authorize_without_user(EventLoop loop, Authorization input) {
  Registration client{.client_id = input.options.client_id, .client_secret = input.options.client_secret};
  auto dpop_key = dpop_key_for(input);
  if (!dpop_key) co_return std::unexpected(std::move(dpop_key.error()));
  auto prover = input.use_dpop ? make_dpop_prover(*dpop_key) : nullptr;
  const auto requester = token_client(input.options, input.found, std::move(client), std::move(prover));
  auto form = co_await machine_form(loop, input);
  if (!form) co_return std::unexpected(std::move(form.error()));
  auto token = co_await request_token(loop, input.options, requester, std::move(*form));
  if (!token) co_return std::unexpected(std::move(token.error()));
  co_return make_login(input, requester, std::move(*token), std::move(*dpop_key));
}

Task<Result<Stored>> authorize_device(EventLoop loop, Authorization input) {
  auto client = co_await choose_client(loop, input.options, input.found, "http://127.0.0.1/callback", input.stored);
  if (!client) co_return std::unexpected(std::move(client.error()));
  auto dpop_key = dpop_key_for(input);
  if (!dpop_key) co_return std::unexpected(std::move(dpop_key.error()));
  auto prover = input.use_dpop ? make_dpop_prover(*dpop_key) : nullptr;
  const auto requester = token_client(input.options, input.found, std::move(*client), std::move(prover));
  auto device = co_await begin_device(loop, input, requester);
  if (!device) co_return std::unexpected(std::move(device.error()));
  SignInRequest request{.url = device->verification_uri_complete.value_or(device->verification_uri),
                        .server = input.options.server,
                        .scope = input.scope,
                        .user_code = device->user_code};
  auto shown = co_await input.sign_in.show(loop, std::move(request));
  if (!shown) co_return std::unexpected(std::move(shown.error()));
  auto token = co_await poll_device(loop, input, requester, std::move(*device));
  if (!token) co_return std::unexpected(std::move(token.error()));
  co_return make_login(input, requester, std::move(*token), std::move(*dpop_key));
}

}  // namespace fairlead::auth
