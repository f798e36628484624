#include <fairlead/auth/oauth_check.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <utility>

#include "auth/jose/jose.hpp"
#include "auth/oauth/challenge.hpp"
#include "auth/oauth/claims.hpp"
#include "auth/oauth/dpop.hpp"
#include "auth/oauth/token_cache.hpp"
#include "crypto/digest.hpp"

namespace fairlead::auth {
namespace {

constexpr std::chrono::minutes most_skew{5};
constexpr std::size_t most_proofs = 100'000;

struct IssuerKeys {
  ClaimRules rules;
  bool any_typ = false;
  std::vector<jose::Key> keys;
};

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

Result<std::vector<IssuerKeys>> read_issuers(const OAuthCheckOptions& options) {
  if (options.issuers.empty()) return fail(ErrorKind::invalid, "oauth needs at least one issuer");
  std::vector<IssuerKeys> issuers;
  for (const auto& trusted : options.issuers) {
    auto keys = read_key_file(trusted.jwks_file);
    if (!keys) return std::unexpected(keys.error());
    ClaimRules rules{.issuer = trusted.issuer,
                     .audiences = trusted.audiences,
                     .skew = options.skew,
                     .principal_claim = options.principal_claim,
                     .issuer_in_principal = options.issuers.size() > 1};
    if (rules.audiences.empty()) rules.audiences = {options.resource};
    issuers.push_back({.rules = std::move(rules), .any_typ = trusted.any_typ, .keys = std::move(*keys)});
  }
  return issuers;
}

Result<void> check_options(const OAuthCheckOptions& options) {
  if (options.skew.count() < 0 || options.skew > most_skew)
    return fail(ErrorKind::invalid, "the skew is 0 to 300 seconds");
  for (const auto& name : options.algorithms) {
    const auto& known = jose::all_algorithms();
    if (std::ranges::find(known, name) == known.end()) {
      return fail(ErrorKind::invalid,
                  fmt::format("algorithm '{}' is not supported: use RS256, PS256, ES256, ES384 or EdDSA", name));
    }
  }
  return {};
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

}  // namespace

struct OAuthCheck::State {
  OAuthCheckOptions options;
  ResourceDescription resource;
  ScopePolicy scopes;
  std::vector<IssuerKeys> issuers;
  TokenCache cache;
  ProofCheck proofs;

  Result<http::Identity> check(std::string_view token, WallTime now) const;
  CheckedToken checked(std::string_view token, WallTime now);
  std::optional<http::Response> refuse_binding(const http::Request& request, const PresentedToken& presented,
                                               const http::Identity& identity, WallTime now);
  http::Response refusal(std::string_view why) const {
    return challenge(resource, 401, "invalid_token", why, resource.basic_scopes);
  }
};

Result<http::Identity> OAuthCheck::State::check(std::string_view token, WallTime now) const {
  const IssuerKeys* issuer = nullptr;
  // Only keys of the issuer that the token names: what the header offers as key is not read.
  const auto key_of = [&](const jose::Token& unverified) -> std::optional<jose::Key> {
    const auto name = jose::text_member(unverified.claim_members, "iss");
    for (const auto& each : issuers) {
      if (name == each.rules.issuer) issuer = &each;
    }
    return issuer != nullptr ? find_key(issuer->keys, unverified) : std::nullopt;
  };
  const auto verified = jose::verify(token, key_of, options.algorithms);
  if (!verified) return std::unexpected(verified.error());
  if (!issuer->any_typ && !has_access_token_type(verified->header_members)) {
    return fail(ErrorKind::refused, "the token is not an access token (typ)");
  }
  return identity_of(verified->claim_members, verified->claims, issuer->rules, now);
}

CheckedToken OAuthCheck::State::checked(std::string_view token, WallTime now) {
  const auto digest = crypto::sha256(token);
  if (auto known = cache.find(digest, now)) return std::move(*known);
  auto identity = check(token, now);
  CheckedToken result;
  if (identity) {
    result.identity = std::make_shared<const http::Identity>(std::move(*identity));
  } else {
    result.refusal = identity.error().message;
  }
  cache.put(digest, result, now);
  return result;
}

// Without a proof of possession, a stolen token would be as good as the client's own.
std::optional<http::Response> OAuthCheck::State::refuse_binding(const http::Request& request,
                                                                const PresentedToken& presented,
                                                                const http::Identity& identity, WallTime now) {
  switch (identity.binding) {
    case http::TokenBinding::certificate:
      return refusal("the token is bound to a certificate, which this server cannot check");
    case http::TokenBinding::none:
      if (presented.dpop) return refusal("the token is not bound to a key: send it as Bearer");
      return std::nullopt;
    case http::TokenBinding::dpop_key: break;
  }
  const auto algorithms = join_scopes(options.algorithms);
  if (!presented.dpop) {
    return dpop_challenge(resource, algorithms, "invalid_token", "the token is bound to a key: send it as DPoP");
  }
  const auto refuse_proof = [&](std::string_view why) {
    return dpop_challenge(resource, algorithms, "invalid_dpop_proof", why);
  };
  if (request.count("DPoP") != 1) return refuse_proof("send one DPoP header");
  const auto url = resource.origin + std::string(request.path);
  const ProvenRequest proven{
      .method = request.method, .url = url, .token = presented.token, .bound_to = identity.bound_to};
  const auto proof = proofs.check(*request.header("DPoP"), proven, now);
  return proof ? std::nullopt : std::optional(refuse_proof(proof.error().message));
}

OAuthCheck::OAuthCheck(std::unique_ptr<State> state) : state_(std::move(state)) {}
OAuthCheck::~OAuthCheck() = default;

Result<std::shared_ptr<const OAuthCheck>> OAuthCheck::make(OAuthCheckOptions options) {
  if (auto checked = check_options(options); !checked) return std::unexpected(checked.error());
  auto resource = describe_resource(options);
  if (!resource) return std::unexpected(resource.error());
  auto scopes = ScopePolicy::make(options.scopes);
  if (!scopes) return std::unexpected(scopes.error());
  auto issuers = read_issuers(options);
  if (!issuers) return std::unexpected(issuers.error());
  const auto entries = options.max_cached_tokens;
  const auto algorithms = options.algorithms;
  auto state = std::unique_ptr<State>(new State{.options = std::move(options),
                                                .resource = std::move(*resource),
                                                .scopes = std::move(*scopes),
                                                .issuers = std::move(*issuers),
                                                .cache = TokenCache(entries),
                                                .proofs = ProofCheck(algorithms, most_proofs)});
  return std::shared_ptr<const OAuthCheck>(new OAuthCheck(std::move(state)));
}

std::optional<http::Response> OAuthCheck::refuse(http::Request& request) const {
  request.principal.clear();
  request.identity.reset();
  request.operations = nullptr;
  const auto& open = state_->options.open_paths;
  if (std::ranges::find(open, request.path) != open.end()) return std::nullopt;
  auto presented = presented_token(request, state_->resource);
  if (!presented) return std::move(presented.error());
  const auto now = state_->options.now();
  auto checked = state_->checked(presented->token, now);
  if (!checked.identity) return state_->refusal(checked.refusal);
  if (auto refused = state_->refuse_binding(request, *presented, *checked.identity, now)) return refused;
  const auto& needed = state_->scopes.basic();
  if (!state_->scopes.allows(checked.identity->scopes, needed)) {
    return challenge(state_->resource, 403, "insufficient_scope", "the token lacks a scope", join_scopes(needed));
  }
  request.principal = checked.identity->principal;
  request.identity = std::move(checked.identity);
  if (state_->scopes.has_operation_rules()) request.operations = this;
  return std::nullopt;
}

std::optional<http::Response> OAuthCheck::public_document(const http::Request& request) const {
  if (request.path != state_->resource.metadata_path) return std::nullopt;
  http::Response response{.status = 200};
  response.headers.push_back({"Access-Control-Allow-Origin", "*"});
  if (request.method == "OPTIONS") {
    response.status = 204;
    response.headers.push_back({"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"});
    // MCP clients in pages send it with every request.
    response.headers.push_back({"Access-Control-Allow-Headers", "MCP-Protocol-Version"});
  } else if (request.method == "GET" || request.method == "HEAD") {
    response.content_type = "application/json";
    response.headers.push_back({"Cache-Control", "max-age=300"});
    response.body = state_->resource.metadata;
  } else {
    response.status = 405;
    response.headers.push_back({"Allow", "GET, HEAD, OPTIONS"});
  }
  return response;
}

std::optional<http::Response> OAuthCheck::refuse_operation(const http::Identity& identity, std::string_view method,
                                                           std::string_view tool) const {
  const auto needed = state_->scopes.needed(method, tool);
  if (state_->scopes.allows(identity.scopes, needed)) return std::nullopt;
  return challenge(state_->resource, 403, "insufficient_scope", "the token lacks a scope of this operation",
                   join_scopes(needed));
}

const ScopePolicy& OAuthCheck::scopes() const {
  return state_->scopes;
}

}  // namespace fairlead::auth
