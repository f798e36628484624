#include "auth/client/oauth_source.hpp"

namespace fairlead::auth {

Task<Result<Stored>> OAuthSource::sign_in_now(EventLoop loop) {
  const auto self = shared_from_this();
  const auto turn = co_await turn_.acquire();
  if (!turn) co_return fail(ErrorKind::cancelled, "cancelled");
  if (auto done = co_await load(); !done) co_return std::unexpected(std::move(done.error()));
  const auto why = co_await fetch_challenge(loop, options_);
  if (!why) co_return std::unexpected(why.error());
  if (needs_public_issuer(options_, *why)) options_.http.public_only = true;
  const auto issuer = known_issuer();
  auto found = co_await discover(loop, options_, *why, issuer);
  if (!found) co_return std::unexpected(std::move(found.error()));
  if (why->status != 401 && !found->has_resource_metadata && !found->has_server_metadata) {
    co_return fail(ErrorKind::invalid, "the server does not ask for a sign-in: it answered " +
                                           std::to_string(why->status) + " and has no authorization metadata");
  }
  auto scope = scope_for(*found, *why);
  auto done = co_await sign_in(loop, std::move(*found), *why, std::move(scope));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return *login_;
}

std::shared_ptr<TokenSource> oauth(OAuthOptions options, std::shared_ptr<CredentialStore> store,
                                   std::shared_ptr<SignIn> sign_in) {
  return std::make_shared<OAuthSource>(std::move(options), std::move(store), std::move(sign_in));
}

Task<Result<Stored>> login(EventLoop loop, OAuthOptions options, std::shared_ptr<CredentialStore> store,
                           std::shared_ptr<SignIn> sign_in) {
  const auto source = std::make_shared<OAuthSource>(std::move(options), std::move(store), std::move(sign_in));
  co_return co_await source->sign_in_now(loop);
}

}  // namespace fairlead::auth
