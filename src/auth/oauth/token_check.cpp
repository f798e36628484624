#include "auth/oauth/token_check.hpp"

#include <algorithm>
#include <fairlead/base/log_sinks.hpp>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

namespace fairlead::auth {
namespace {

Result<std::vector<jose::Key>> read_key_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return fail(ErrorKind::invalid, fmt::format("jwks_file '{}' cannot be read", path));
  auto keys = jose::read_jwk_set(text.str());
  if (!keys) return fail(ErrorKind::invalid, fmt::format("jwks_file '{}': {}", path, keys.error().message));
  if (keys->empty()) return fail(ErrorKind::invalid, fmt::format("jwks_file '{}' has no key that can be used", path));
  return keys;
}

/// The key of the token by its `kid`; without one, the only key that fits the algorithm.
std::optional<jose::Key> find_key(const std::vector<jose::Key>& keys, const jose::Token& token) {
  const jose::Key* found = nullptr;
  for (const auto& key : keys) {
    if (!key.fits(token.algorithm) || (!token.kid.empty() && key.kid() != token.kid)) continue;
    if (found != nullptr) return std::nullopt;
    found = &key;
  }
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

bool has_access_token_type(const jose::Members& header) {
  const auto type = jose::text_member(header, "typ").value_or("");
  return protocol::same_header(type, "at+jwt") || protocol::same_header(type, "application/at+jwt");
}

CheckedToken refused_token(std::string why) {
  return {.identity = nullptr, .refusal = std::move(why)};
}

LogSink& log_of(const OAuthCheckOptions& options) {
  static NullSink none;
  return options.log != nullptr ? *options.log : none;
}

bool needs_background(const TrustedIssuer& issuer) {
  return issuer.jwks_file.empty() || issuer.introspection;
}

}  // namespace

TokenCheck::TokenCheck(const OAuthCheckOptions& options) : algorithms_(options.algorithms), now_(options.now) {
  if (std::ranges::any_of(options.issuers, needs_background)) {
    background_ = std::make_unique<BackgroundWorker>(log_of(options));
  }
  issuers_.reserve(options.issuers.size());
}

// The tasks use the other members.
TokenCheck::~TokenCheck() {
  if (background_) background_->stop();
}

Result<std::unique_ptr<TokenCheck>> TokenCheck::make(const OAuthCheckOptions& options,
                                                     std::function<void()> on_key_removed) {
  if (options.issuers.empty()) return fail(ErrorKind::invalid, "oauth needs at least one issuer");
  std::unique_ptr<TokenCheck> made(new TokenCheck(options));
  for (const auto& trusted : options.issuers) {
    if (auto added = made->add_issuer(trusted, options, on_key_removed); !added) return std::unexpected(added.error());
  }
  for (const auto& issuer : made->issuers_) issuer.keys->start();
  return made;
}

Result<void> TokenCheck::add_issuer(const TrustedIssuer& trusted, const OAuthCheckOptions& options,
                                    const std::function<void()>& on_key_removed) {
  ClaimRules rules{.issuer = trusted.issuer,
                   .audiences = trusted.audiences,
                   .skew = options.skew,
                   .principal_claim = options.principal_claim,
                   .issuer_in_principal = options.issuers.size() > 1};
  auto& issuer = issuers_.emplace_back(Issuer{.rules = std::move(rules), .any_typ = trusted.any_typ, .keys = {}});
  if (trusted.jwks_file.empty()) {
    KeyFetching fetching{
        .background = *background_, .http = options.http, .now = options.now, .on_key_removed = on_key_removed};
    issuer.keys = std::make_unique<IssuerKeys>(trusted.issuer, !trusted.introspection, std::move(fetching));
  } else {
    auto keys = read_key_file(trusted.jwks_file);
    if (!keys) return std::unexpected(std::move(keys.error()));
    issuer.keys = std::make_unique<IssuerKeys>(std::move(*keys));
  }
  if (!trusted.introspection) return {};
  if (introspection_) {
    return fail(ErrorKind::invalid,
                "only one issuer may have introspection: an opaque token does not say which issuer made it");
  }
  introspected_ = &issuer;
  introspection_ =
      std::make_unique<TokenIntrospection>(*background_, trusted.issuer, *trusted.introspection, options.http);
  return {};
}

const TokenCheck::Issuer* TokenCheck::issuer_of(const jose::Token& token) const {
  const auto name = jose::text_member(token.claim_members, "iss");
  const auto found = std::ranges::find_if(issuers_, [&](const Issuer& each) { return name == each.rules.issuer; });
  return found != issuers_.end() ? &*found : nullptr;
}

std::optional<CheckedToken> TokenCheck::check(std::string_view token, const std::string& resource, WallTime now) const {
  const auto unverified = jose::split(token);
  if (!unverified && introspection_) return std::nullopt;
  if (!unverified) return refused_token("the token is not a JWT");
  const auto* issuer = issuer_of(*unverified);
  if (issuer == nullptr) return refused_token("the token is of another issuer (iss)");
  if (std::ranges::find(algorithms_, unverified->algorithm) == algorithms_.end()) {
    return refused_token("the algorithm of the token is not accepted (alg)");
  }
  const auto keys = issuer->keys->current();
  if (!keys) return std::nullopt;
  const auto has_kid = [&](const jose::Key& key) { return key.kid() == unverified->kid; };
  const bool known = unverified->kid.empty() || std::ranges::any_of(*keys, has_kid);
  if (!known && issuer->keys->may_change()) return std::nullopt;
  // Only a key of the issuer that the token names: what the header offers as key is not read.
  return verify(*issuer, token, find_key(*keys, *unverified), resource, now);
}

CheckedToken TokenCheck::verify(const Issuer& issuer, std::string_view token, const std::optional<jose::Key>& key,
                                const std::string& resource, WallTime now) const {
  const auto verified = jose::verify(token, [&](const jose::Token&) { return key; }, algorithms_);
  if (!verified) return refused_token(verified.error().message);
  if (!issuer.any_typ && !has_access_token_type(verified->header_members)) {
    return refused_token("the token is not an access token (typ)");
  }
  return checked(issuer, verified->claim_members, verified->claims, resource, now, false);
}

CheckedToken TokenCheck::checked(const Issuer& issuer, const jose::Members& claims, std::string_view json,
                                 const std::string& resource, WallTime now, bool introspected) const {
  auto rules = issuer.rules;
  if (rules.audiences.empty()) rules.audiences = {resource};
  rules.introspected = introspected;
  auto identity = identity_of(claims, json, rules, now);
  if (!identity) return refused_token(std::move(identity.error().message));
  return {.identity = std::make_shared<const http::Identity>(std::move(*identity)), .opaque = introspected};
}

Task<Result<CheckedToken>> TokenCheck::check_later(std::string token, std::string resource) const {
  const auto unverified = jose::split(token);
  if (!unverified) co_return co_await introspect(std::move(token), std::move(resource));
  const auto* issuer = issuer_of(*unverified);
  if (issuer == nullptr) co_return refused_token("the token is of another issuer (iss)");
  co_await issuer->keys->refresh();
  auto result = check(token, resource, now_());
  if (result) co_return std::move(*result);
  if (!issuer->keys->current() || !issuer->keys->reachable()) {
    co_return fail(ErrorKind::closed, "the keys of the issuer cannot be fetched");
  }
  co_return refused_token("the issuer has no such key (kid)");
}

Task<Result<CheckedToken>> TokenCheck::introspect(std::string token, std::string resource) const {
  auto answer = co_await introspection_->check(std::move(token));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  if (answer->empty()) co_return refused_token("the token is not active");
  const auto claims = jose::read_members(*answer);
  if (!claims) co_return std::unexpected(claims.error());
  co_return checked(*introspected_, *claims, *answer, resource, now_(), true);
}

}  // namespace fairlead::auth
