#include <fairlead/auth/oauth_check.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "auth/oauth/challenge.hpp"
#include "auth/oauth/dpop.hpp"
#include "auth/oauth/failure_limit.hpp"
#include "auth/oauth/token_check.hpp"
#include "crypto/digest.hpp"
#include "crypto/secret.hpp"

namespace fairlead::auth {
namespace {

constexpr std::chrono::minutes most_skew{5};
constexpr std::size_t most_proofs = 100'000;

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

/// An endpoint with the texts of its resource.
struct Endpoint {
  std::string path;
  ResourceDescription resource;

  bool contains(std::string_view wanted) const {
    return wanted.starts_with(path) && (wanted.size() == path.size() || wanted[path.size()] == '/');
  }
};

/// A request's credentials, and what they are checked against. The views are those of the request.
struct Presented {
  PresentedToken credential;
  const Endpoint& endpoint;
  std::shared_ptr<const http::Identity> certificate;  ///< Of the connection; may be null.
};

}  // namespace

struct OAuthCheck::State {
  State(OAuthCheckOptions chosen, std::vector<Endpoint> described, ScopePolicy policy)
      : options(std::move(chosen)),
        endpoints(std::move(described)),
        scopes(std::move(policy)),
        algorithm_names(join_scopes(options.algorithms)),
        cache(options.max_cached_tokens),
        nonces(options.dpop.nonces ? std::make_shared<const DpopNonces>(options.dpop.nonce_secret) : nullptr),
        proofs(options.algorithms, most_proofs, nonces) {}

  const Endpoint& endpoint_of(std::string_view path) const;
  std::string cache_key(const Presented& presented) const;
  http::Response challenge_dpop(const ResourceDescription& resource, std::string_view error, std::string_view why,
                                WallTime now) const;
  std::optional<http::Response> refuse_binding(const http::Request& request, const Presented& presented,
                                               const http::Identity& identity, WallTime now);
  std::optional<http::Response> refuse_proof(const http::Request& request, const Presented& presented,
                                             const http::Identity& identity, WallTime now);
  std::optional<http::Response> accept(http::Request& request, const ResourceDescription& resource,
                                       std::shared_ptr<const http::Identity> identity) const;
  std::optional<http::Response> admit(http::Request& request, const Presented& presented, CheckedToken checked,
                                      WallTime now);

  void remember(const http::Request& request, const std::string& cache_key, const CheckedToken& checked, WallTime now,
                std::uint64_t generation) {
    if (!checked.identity) failures.add(request.remote, now);
    cache.put(cache_key, checked, now, generation);
  }

  OAuthCheckOptions options;
  std::vector<Endpoint> endpoints;  // The first one is for all paths that no other contains.
  ScopePolicy scopes;
  std::string algorithm_names;
  TokenCache cache;
  FailureLimit failures;
  std::shared_ptr<const DpopNonces> nonces;  // Null unless they are required.
  ProofCheck proofs;
  std::unique_ptr<TokenCheck> tokens;  // Last: its thread uses the cache.
};

const Endpoint& OAuthCheck::State::endpoint_of(std::string_view path) const {
  for (std::size_t i = 1; i < endpoints.size(); ++i) {
    if (endpoints[i].contains(path)) return endpoints[i];
  }
  return endpoints.front();
}

// The same token may be for one endpoint and not for another.
std::string OAuthCheck::State::cache_key(const Presented& presented) const {
  auto key = crypto::sha256(presented.credential.token);
  const auto index = static_cast<std::size_t>(&presented.endpoint - endpoints.data());
  if (index != 0) key += std::to_string(index);
  return key;
}

http::Response OAuthCheck::State::challenge_dpop(const ResourceDescription& resource, std::string_view error,
                                                 std::string_view why, WallTime now) const {
  auto response = dpop_challenge(resource, algorithm_names, error, why);
  if (nonces) response.headers.push_back({"DPoP-Nonce", nonces->current(now)});
  return response;
}

// Without a proof of possession, a stolen token would be as good as the client's own.
std::optional<http::Response> OAuthCheck::State::refuse_binding(const http::Request& request,
                                                                const Presented& presented,
                                                                const http::Identity& identity, WallTime now) {
  const auto& resource = presented.endpoint.resource;
  const bool dpop = presented.credential.dpop;
  const auto refusal = [&](std::string_view why) {
    return challenge(resource, 401, "invalid_token", why, resource.basic_scopes);
  };
  if (identity.binding == http::TokenBinding::dpop_key) {
    if (dpop) return refuse_proof(request, presented, identity, now);
    return challenge_dpop(resource, "invalid_token", "the token is bound to a key: send it as DPoP", now);
  }
  if (dpop) return refusal("the token is not bound to a key: send it as Bearer");
  if (options.dpop.required) {
    return challenge_dpop(resource, "invalid_token", "the token must be bound to a key: ask for a DPoP token", now);
  }
  if (identity.binding == http::TokenBinding::none) return std::nullopt;
  // If a proxy ends TLS, its word about the certificate cannot be checked.
  const auto* certificate = presented.certificate.get();
  if (certificate == nullptr || certificate->binding != http::TokenBinding::certificate) {
    return refusal("the token is bound to a certificate, and this connection has none");
  }
  if (crypto::equal_in_constant_time(certificate->bound_to, identity.bound_to)) return std::nullopt;
  return refusal("the token is bound to another certificate");
}

std::optional<http::Response> OAuthCheck::State::refuse_proof(const http::Request& request, const Presented& presented,
                                                              const http::Identity& identity, WallTime now) {
  const auto& resource = presented.endpoint.resource;
  if (request.count("DPoP") != 1) return challenge_dpop(resource, "invalid_dpop_proof", "send one DPoP header", now);
  const auto url = resource.origin + std::string(request.path);
  const ProvenRequest proven{
      .method = request.method, .url = url, .token = presented.credential.token, .bound_to = identity.bound_to};
  const auto proof = proofs.check(*request.header("DPoP"), proven, now);
  if (proof) return std::nullopt;
  const auto& subject = proof.error().subject;
  return challenge_dpop(resource, subject.empty() ? "invalid_dpop_proof" : subject, proof.error().message, now);
}

std::optional<http::Response> OAuthCheck::State::accept(http::Request& request, const ResourceDescription& resource,
                                                        std::shared_ptr<const http::Identity> identity) const {
  const auto& needed = scopes.basic();
  if (!scopes.allows(identity->scopes, needed)) {
    return challenge(resource, 403, "insufficient_scope", "the token lacks a scope", join_scopes(needed));
  }
  request.principal = identity->principal;
  request.identity = std::move(identity);
  return std::nullopt;
}

std::optional<http::Response> OAuthCheck::State::admit(http::Request& request, const Presented& presented,
                                                       CheckedToken checked, WallTime now) {
  const auto& resource = presented.endpoint.resource;
  if (!checked.identity) return challenge(resource, 401, "invalid_token", checked.refusal, resource.basic_scopes);
  if (auto refused = refuse_binding(request, presented, *checked.identity, now)) return refused;
  if (auto refused = accept(request, resource, std::move(checked.identity))) return refused;
  request.access_token = std::make_shared<const std::string>(presented.credential.token);
  if (nonces && presented.credential.dpop) {
    request.response_header = http::Header{.name = "DPoP-Nonce", .value = nonces->current(now)};
  }
  return std::nullopt;
}

OAuthCheck::OAuthCheck(std::shared_ptr<State> state) : state_(std::move(state)) {}
OAuthCheck::~OAuthCheck() = default;

Result<std::shared_ptr<const OAuthCheck>> OAuthCheck::make(OAuthCheckOptions options) {
  if (auto checked = check_options(options); !checked) return std::unexpected(checked.error());
  auto scopes = ScopePolicy::make(options.scopes);
  if (!scopes) return std::unexpected(scopes.error());
  std::vector<Endpoint> endpoints;
  auto first = describe_resource(options.resource, options);
  if (!first) return std::unexpected(first.error());
  endpoints.push_back({.path = {}, .resource = std::move(*first)});
  for (const auto& endpoint : options.endpoints) {
    auto described = describe_resource(endpoint.resource, options);
    if (!described) return std::unexpected(described.error());
    endpoints.push_back({.path = endpoint.path, .resource = std::move(*described)});
  }
  auto state = std::make_shared<State>(std::move(options), std::move(endpoints), std::move(*scopes));
  auto tokens = TokenCheck::make(state->options, [cache = &state->cache] { cache->clear(); });
  if (!tokens) return std::unexpected(tokens.error());
  state->tokens = std::move(*tokens);
  return std::shared_ptr<const OAuthCheck>(new OAuthCheck(std::move(state)));
}

Task<std::optional<http::Response>> OAuthCheck::refuse(http::Request& request) const {
  auto certificate = std::exchange(request.identity, nullptr);
  request.principal.clear();
  request.operations.reset();
  request.response_header.reset();
  const auto& open = state_->options.open_paths;
  if (std::ranges::find(open, request.path) != open.end()) return std::nullopt;
  if (state_->scopes.has_operation_rules()) request.operations = shared_from_this();
  const auto& endpoint = state_->endpoint_of(request.path);
  const auto& keys = state_->options.keys;
  if (const auto key = keys ? keys->identity_of(request.header("X-API-Key").value_or("")) : nullptr) {
    return state_->accept(request, endpoint.resource, key);
  }
  auto credential = presented_token(request, endpoint.resource);
  if (!credential) return std::move(credential.error());
  const Presented presented{.credential = *credential, .endpoint = endpoint, .certificate = std::move(certificate)};
  const auto now = state_->options.now();
  const auto cache_key = state_->cache_key(presented);
  if (auto known = state_->cache.find(cache_key, now)) return state_->admit(request, presented, std::move(*known), now);
  if (auto refused = refuse_characters(credential->token, endpoint.resource)) return refused;
  if (state_->failures.exceeded(request.remote, now)) return too_many_failures();
  const auto generation = state_->cache.generation();
  auto checked = state_->tokens->check(credential->token, endpoint.resource.url, now);
  if (!checked) return refuse_later(state_, request, std::string(credential->token), presented.certificate);
  state_->remember(request, cache_key, *checked, now, generation);
  return state_->admit(request, presented, std::move(*checked), now);
}

Task<std::optional<http::Response>> OAuthCheck::refuse_later(std::shared_ptr<State> state, http::Request& request,
                                                             std::string token,
                                                             std::shared_ptr<const http::Identity> certificate) {
  // Read again: the views of the request have been moved.
  const auto& endpoint = state->endpoint_of(request.path);
  const auto generation = state->cache.generation();
  auto checked = co_await state->tokens->check_later(token, endpoint.resource.url);
  if (!checked) co_return issuer_unavailable();
  const bool dpop = presented_token(request, endpoint.resource)->dpop;
  const Presented presented{
      .credential = {.token = token, .dpop = dpop}, .endpoint = endpoint, .certificate = std::move(certificate)};
  const auto now = state->options.now();
  state->remember(request, state->cache_key(presented), *checked, now, generation);
  co_return state->admit(request, presented, std::move(*checked), now);
}

std::optional<http::Response> OAuthCheck::public_document(const http::Request& request) const {
  for (const auto& [path, resource] : state_->endpoints) {
    if (request.path == resource.metadata_path) return metadata_response(resource, request.method);
  }
  return std::nullopt;
}

std::optional<http::OperationRefusal> OAuthCheck::refuse_operation(const http::Identity& identity,
                                                                   const http::Operation& operation) const {
  const auto needed = state_->scopes.needed(operation.method, operation.tool);
  if (state_->scopes.allows(identity.scopes, needed)) return std::nullopt;
  auto scope = join_scopes(needed);
  auto response = challenge(state_->endpoint_of(operation.path).resource, 403, "insufficient_scope",
                            "the token lacks a scope of this operation", scope);
  return http::OperationRefusal{.response = std::move(response), .scope = std::move(scope)};
}

const ScopePolicy& OAuthCheck::scopes() const {
  return state_->scopes;
}

}  // namespace fairlead::auth
