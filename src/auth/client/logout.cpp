#include "auth/client/token_request.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration logout_timeout = std::chrono::seconds(10);
constexpr Duration logout_lock_wait = std::chrono::seconds(60);

/// Sends requests about one login, and collects what failed.
struct Logout {
  EventLoop loop;
  http::ClientOptions http;
  const Stored& login;
  std::vector<std::string> failures = {};

  Task<void> revoke(std::string token, std::string_view hint);
  Task<void> deregister();
};

// RFC 7009.
Task<void> Logout::revoke(std::string token, std::string_view hint) {
  if (token.empty() || login.revocation_endpoint.empty()) co_return;
  auto request = post_request(login.revocation_endpoint, "application/x-www-form-urlencoded");
  Form form;
  form.add("token", token).add("token_type_hint", hint);
  const TokenClient client{.endpoint = login.token_endpoint, .issuer = login.issuer, .client = login.client};
  if (!authenticate(client, request, form)) co_return;
  request.body = form.text();
  const auto response = co_await fetch_direct(loop, http, std::move(request), logout_timeout);
  const auto why = !response                 ? response.error()
                   : response->status != 200 ? endpoint_error("revocation", *response)
                                             : Error();
  // Servers that issue JWTs cannot revoke access tokens.
  if (why.message.empty() || why.subject == "unsupported_token_type") co_return;
  failures.push_back(login.issuer + " did not revoke a token: " + why.message);
}

// RFC 7592.
Task<void> Logout::deregister() {
  const auto& client = login.client;
  if (client.registration_client_uri.empty() || client.registration_access_token.empty()) co_return;
  auto request = get_request(client.registration_client_uri);
  request.method = "DELETE";
  request.headers.push_back({"Authorization", "Bearer " + client.registration_access_token});
  const auto response = co_await fetch_direct(loop, http, std::move(request), logout_timeout);
  if (response && response->status == 204) co_return;
  const auto why = response ? "it answered " + std::to_string(response->status) : response.error().message;
  failures.push_back(login.issuer + " did not delete the registration of this client: " + why);
}

/// The login without tokens: the registration of the client.
Stored without_tokens(Stored login) {
  Stored rest{
      .server = std::move(login.server), .account = std::move(login.account), .issuer = std::move(login.issuer)};
  rest.client = std::move(login.client);
  return rest;
}

}  // namespace

Task<Result<std::vector<std::string>>> logout(EventLoop loop, StoreKey key, std::shared_ptr<CredentialStore> store,
                                              LogoutOptions options) {
  const auto lock = co_await store->lock(loop, key, logout_lock_wait);
  if (!lock) co_return std::unexpected(lock.error());
  auto stored = co_await store->load(key);
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  const bool is_signed_in = *stored && !(*stored)->access_token.empty();
  if (!*stored || (!is_signed_in && !options.forget)) {
    co_return fail(ErrorKind::invalid, "not signed in at " + key.server);
  }
  Logout ended{.loop = loop, .http = options.http, .login = **stored};
  co_await ended.revoke((*stored)->refresh_token, "refresh_token");
  co_await ended.revoke((*stored)->access_token, "access_token");
  if (options.forget) co_await ended.deregister();
  // A registration that only we know can be used again; a given client id comes with the next sign-in.
  const bool keep = !options.forget && !(*stored)->client.registration_client_uri.empty();
  Result<void> done;
  if (keep) {
    done = co_await store->save(key, without_tokens(**stored));
  } else {
    done = co_await store->remove(key);
  }
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(ended.failures);
}

}  // namespace fairlead::auth
