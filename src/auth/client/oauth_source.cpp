#include "auth/client/oauth_source.hpp"

#include <chrono>
#include <fairlead/base/start_task.hpp>
#include <fairlead/json/codec.hpp>

#include "auth/client/oauth_errors.hpp"
#include "base/promise.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration lock_wait = std::chrono::seconds{60};
constexpr std::int64_t refresh_before = 60;
constexpr std::size_t max_authorizations = 3;
// Without a user, a token is used until shortly before its end, or for this time if it has none.
constexpr std::int64_t renew_before = 15;
constexpr std::int64_t machine_lifetime = 300;

std::int64_t seconds_now() {
  using namespace std::chrono;
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

bool has_user(const OAuthOptions& options) {
  return options.grant == Grant::code || options.grant == Grant::device;
}

void report_secrets(const OAuthOptions& options, const Stored& login) {
  for (const auto* secret : {&login.access_token, &login.refresh_token, &login.id_token, &login.dpop_key,
                             &login.client.client_secret, &login.client.registration_access_token}) {
    if (!secret->empty()) options.on_secret(*secret);
  }
}

}  // namespace

void OAuthSource::use(Stored login) {
  if (!login_ || login_->access_token != login.access_token) ++generation_;
  if (!login_ || login_->dpop_key != login.dpop_key) {
    prover_ = login.dpop_key.empty() ? nullptr : make_dpop_prover(login.dpop_key);
  }
  login_ = std::move(login);
}

bool OAuthSource::is_fresh() const {
  if (!login_) return true;  // Nothing to refresh.
  if (login_->expires_at == 0 || login_->expires_at - seconds_now() > refresh_before) return true;
  return login_->refresh_token.empty();
}

Credential OAuthSource::credential() const {
  if (!login_ || login_->access_token.empty()) return {.generation = generation_};
  return {.scheme = login_->token_type == "DPoP" ? "DPoP" : "Bearer",
          .token = login_->access_token,
          .generation = generation_,
          .dpop = prover_};
}

void OAuthSource::drop_expired() {
  if (!login_ || has_user(options_) || !login_->refresh_token.empty() || login_->access_token.empty()) return;
  if (login_->expires_at == 0 || login_->expires_at - seconds_now() > renew_before) return;
  login_->access_token.clear();
  ++generation_;
}

Task<Result<Credential>> OAuthSource::get(const EventLoop& loop) {
  // Most servers need no login. If this one does, a refusal reads the store again.
  if (loaded_ && !login_) return credential();
  drop_expired();
  if (is_current() && is_fresh()) return credential();
  return get_slowly(loop);
}

Task<Result<Credential>> OAuthSource::get_slowly(EventLoop loop) {
  const auto self = shared_from_this();
  const auto turn = co_await turn_.acquire();
  if (!turn) co_return fail(ErrorKind::cancelled, "cancelled while waiting for a token");
  if (!is_current()) {
    if (auto done = co_await load(); !done) co_return std::unexpected(std::move(done.error()));
  }
  // If the refresh fails, the server decides about the old token.
  if (!is_fresh()) co_await refresh_once(loop, login_->access_token);
  co_return credential();
}

Task<Result<void>> OAuthSource::load() {
  version_ = version_now_();
  auto stored = co_await store_->load(key());
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  loaded_ = true;
  if (!*stored) {
    forget();
    co_return Result<void>();
  }
  if (options_.on_secret) report_secrets(options_, **stored);
  use(std::move(**stored));
  co_return Result<void>();
}

void OAuthSource::forget() {
  if (login_) ++generation_;
  login_.reset();
  prover_.reset();
}

Task<Result<void>> OAuthSource::save() {
  auto saved = co_await store_->save(key(), *login_);
  version_ = version_now_();
  co_return saved;
}

Task<Result<void>> OAuthSource::refresh_once(EventLoop loop, std::string refused_token) {
  const auto ended = std::make_shared<Promise<Result<void>>>();
  auto done = [ended](TaskOutcome<Result<void>> outcome) {
    ended->set(outcome ? std::move(*outcome) : fail(ErrorKind::closed, "the refresh failed"));
  };
  start(loop.executor, refresh_locked(shared_from_this(), loop, std::move(refused_token)), std::move(done));
  auto result = co_await ended->wait();
  if (!result) co_return fail(ErrorKind::cancelled, "cancelled while the token was refreshed");
  co_return std::move(*result);
}

// Under the lock of the store, so that one process refreshes and the others use its token.
Task<Result<void>> OAuthSource::refresh_locked(std::shared_ptr<OAuthSource> self, EventLoop loop,
                                               std::string refused_token) {
  const auto lock = co_await self->store_->lock(loop, self->key(), lock_wait);
  if (!lock) co_return std::unexpected(lock.error());
  auto stored = co_await self->store_->load(self->key());
  if (!stored) co_return std::unexpected(std::move(stored.error()));
  if (!*stored) {
    self->forget();
    co_return lost_login("the login was deleted");
  }
  self->use(std::move(**stored));
  if (self->login_->access_token != refused_token && self->is_fresh()) co_return Result<void>();
  if (self->login_->refresh_token.empty()) co_return lost_login("there is no refresh token");
  if (!self->tokens_.allow()) co_return too_often("tokens");
  auto renewed = co_await refresh(loop, self->options_, *self->login_, self->prover_, self->auth_methods_);
  if (!renewed) {
    if (renewed.error().subject == "invalid_grant") {
      self->login_->refresh_token.clear();
      co_await self->save();
    }
    co_return std::unexpected(std::move(renewed.error()));
  }
  self->use(std::move(*renewed));
  co_return co_await self->save();
}

Task<Result<Credential>> OAuthSource::refused(EventLoop loop, Challenge why, Credential used) {
  const auto self = shared_from_this();
  // The transport has kept the nonce: the next proof contains it.
  if (why.error == "use_dpop_nonce" && used.dpop) co_return used;
  const auto turn = co_await turn_.acquire();
  if (!turn) co_return fail(ErrorKind::cancelled, "cancelled while waiting for a token");
  if (!is_current()) {
    if (auto done = co_await load(); !done) co_return std::unexpected(std::move(done.error()));
  }
  if (used.generation != generation_ && !credential().token.empty()) co_return credential();
  if (why.status == 403) co_return co_await step_up(loop, std::move(why));
  co_return co_await renew(loop, std::move(why), std::move(used.token));
}

// A refresh cannot widen the scope: authorize again.
Task<Result<Credential>> OAuthSource::step_up(EventLoop loop, Challenge why) {
  if (why.error != "insufficient_scope") {
    Error error{.kind = ErrorKind::refused,
                .message = "the server answered 403: this account may not do that",
                .code = why.status};
    co_return std::unexpected(std::move(error));
  }
  const auto had = scope_union(requested_scope_, login_ ? login_->scope : "");
  const bool had_scope = authorizations_ > 1 && scope_contains(had, why.scope);
  if (had_scope || authorizations_ >= max_authorizations) co_return std::unexpected(insufficient_scope(why.scope));
  auto found = co_await find(loop, why);
  if (!found) co_return std::unexpected(std::move(found.error()));
  const auto scope = scope_union(had, why.scope);
  auto done = co_await sign_in(loop, std::move(*found), why, scope);
  if (!done && done.error().cause == cause_sign_in_needed) {
    auto error = insufficient_scope(why.scope);
    error.subject = std::move(done.error().subject);
    co_return std::unexpected(sign_in_needed(std::move(error), scope));
  }
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return credential();
}

// Not cached: the server may have moved to another issuer.
Task<Result<Discovered>> OAuthSource::find(EventLoop loop, Challenge why) {
  const auto before = known_issuer();
  if (needs_public_issuer(options_, why)) options_.http.public_only = true;
  auto found = co_await discover(loop, options_, std::move(why), before);
  const bool moved = found && !before.empty() && found->issuer != before;
  // The secret of a configured client belongs to the issuer that it was registered at.
  if (moved && !options_.client_id.empty()) co_return std::unexpected(issuer_changed(before, found->issuer));
  co_return found;
}

Task<Result<Credential>> OAuthSource::renew(EventLoop loop, Challenge why, std::string refused_token) {
  auto found = co_await find(loop, why);
  if (!found) co_return std::unexpected(std::move(found.error()));
  auth_methods_ = found->server.token_endpoint_auth_methods_supported;
  const bool same_issuer = login_ && login_->issuer == found->issuer;
  if (same_issuer && !login_->refresh_token.empty()) {
    auto refreshed = co_await refresh_once(loop, refused_token);
    if (refreshed) co_return credential();
    if (!needs_sign_in(refreshed.error())) co_return std::unexpected(std::move(refreshed.error()));
    // The issuer has deleted the registration: make a new one.
    if (refreshed.error().subject == "invalid_client" && login_) login_->client = {};
  }
  auto scope = scope_for(*found, why);
  auto done = co_await sign_in(loop, std::move(*found), why, std::move(scope));
  if (!done && done.error().cause == cause_sign_in_needed) {
    co_return std::unexpected(sign_in_needed(std::move(done.error()), std::string()));
  }
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return credential();
}

std::string OAuthSource::scope_for(const Discovered& found, const Challenge& why) const {
  auto scope = options_.scope;
  if (scope.empty()) scope = why.scope;
  if (scope.empty() && found.resource.scopes_supported) {
    for (const auto& word : *found.resource.scopes_supported) scope = scope_union(scope, word);
  }
  const bool offered = lists(found.server.scopes_supported, "offline_access");
  return !scope.empty() && offered && has_user(options_) ? scope_union(scope, "offline_access") : scope;
}

Task<Result<void>> OAuthSource::sign_in(EventLoop loop, Discovered found, Challenge why, std::string scope) {
  if (!tokens_.allow()) co_return too_often("tokens");
  if (!sign_ins_.allow()) co_return too_often("sign-ins");
  ++authorizations_;
  requested_scope_ = scope;
  auth_methods_ = found.server.token_endpoint_auth_methods_supported;
  // A login that was bound to a key stays bound: the metadata of the server cannot take that back.
  const bool was_bound = login_ && !login_->dpop_key.empty() && login_->issuer == found.issuer;
  const bool dpop = wants_dpop(found, why) || (was_bound && options_.dpop != Dpop::never);
  Authorization input{.options = options_,
                      .sign_in = *sign_in_,
                      .found = std::move(found),
                      .stored = login_,
                      .scope = std::move(scope),
                      .use_dpop = dpop};
  auto login = co_await authorize(loop, std::move(input));
  if (!login && login.error().cause == cause_sign_in_needed) {
    sign_ins_.undo();
    tokens_.undo();
    --authorizations_;
  }
  if (!login) co_return std::unexpected(std::move(login.error()));
  if (!has_user(options_) && login->expires_at == 0) login->expires_at = seconds_now() + machine_lifetime;
  const auto lock = co_await store_->lock(loop, key(), lock_wait);
  if (!lock) co_return std::unexpected(lock.error());
  use(std::move(*login));
  loaded_ = true;
  co_return co_await save();
}

}  // namespace fairlead::auth
