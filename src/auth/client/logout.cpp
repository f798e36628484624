#include "auth/client/token_request.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration revocation_timeout = std::chrono::seconds(10);
constexpr Duration logout_lock_wait = std::chrono::seconds(60);

// RFC 7009. Failures are ignored: the login is deleted anyway.
Task<void> revoke(EventLoop loop, http::ClientOptions http, const Stored& login, std::string token,
                  std::string_view hint) {
  if (token.empty() || login.revocation_endpoint.empty()) co_return;
  auto request = post_request(login.revocation_endpoint, "application/x-www-form-urlencoded");
  Form form;
  form.add("token", token).add("token_type_hint", hint);
  const TokenClient client{.endpoint = login.token_endpoint, .issuer = login.issuer, .client = login.client};
  if (!authenticate(client, request, form)) co_return;
  request.body = form.text();
  co_await fetch_direct(loop, std::move(http), std::move(request), revocation_timeout);
}

}  // namespace

Task<Result<void>> logout(EventLoop loop, StoreKey key, std::shared_ptr<CredentialStore> store,
                          http::ClientOptions http) {
  const auto lock = co_await store->lock(loop, key, logout_lock_wait);
  if (!lock) co_return std::unexpected(lock.error());
  auto stored = co_await store->load(key);
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  if (!*stored) co_return fail(ErrorKind::invalid, "not signed in at " + key.server);
  co_await revoke(loop, http, **stored, (*stored)->refresh_token, "refresh_token");
  co_await revoke(loop, http, **stored, (*stored)->access_token, "access_token");
  co_return co_await store->remove(std::move(key));
}

}  // namespace fairlead::auth
