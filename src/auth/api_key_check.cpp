#include <algorithm>
#include <fairlead/auth/api_keys.hpp>
#include <fmt/core.h>
#include <utility>

#include "base/hex.hpp"
#include "crypto/digest.hpp"
#include "crypto/secret.hpp"

namespace fairlead::auth {
namespace {

constexpr std::string_view api_key = "X-API-Key";
constexpr std::string_view authorization = "Authorization";

// The scheme name is case-insensitive, the token is not.
std::optional<std::string_view> bearer_token(std::string_view field) {
  constexpr std::string_view scheme = "Bearer";
  if (field.size() <= scheme.size() || !protocol::same_header(field.substr(0, scheme.size()), scheme)) {
    return std::nullopt;
  }
  if (field[scheme.size()] != ' ') return std::nullopt;
  return protocol::trim_header(field.substr(scheme.size()));
}

/// The secret of a request; nothing if there is none, or more than one.
std::optional<std::string_view> secret_of(const http::Request& request) {
  const auto bearers = request.count(authorization);
  const auto keys = request.count(api_key);
  if (bearers + keys != 1) return std::nullopt;
  return bearers == 1 ? bearer_token(*request.header(authorization)) : request.header(api_key);
}

}  // namespace

std::string sha256_hex(std::string_view secret) {
  return crypto::sha256_hex(secret);
}

Result<ApiKeyCheck> ApiKeyCheck::make(std::vector<ApiKey> keys, ApiKeyCheckOptions options) {
  std::vector<Entry> entries;
  for (auto& key : keys) {
    if (key.principal.empty()) return fail(ErrorKind::invalid, "a key needs a principal");
    if (!crypto::is_sha256_hex(key.sha256)) {
      return fail(ErrorKind::invalid, fmt::format("the key of {} must be a SHA-256 in 64 hex digits", key.principal));
    }
    if (auto checked = check_scopes(key.scopes); !checked) return std::unexpected(std::move(checked.error()));
    http::Identity identity{.principal = std::move(key.principal), .scopes = std::move(key.scopes)};
    entries.push_back(
        {.identity = std::make_shared<const http::Identity>(std::move(identity)), .digest = *from_hex(key.sha256)});
  }
  return ApiKeyCheck(std::move(entries), std::move(options));
}

std::optional<std::string> ApiKeyCheck::principal_of(std::string_view secret) const {
  const auto identity = identity_of(secret);
  return identity ? std::optional(identity->principal) : std::nullopt;
}

std::shared_ptr<const http::Identity> ApiKeyCheck::identity_of(std::string_view secret) const {
  if (secret.empty()) return nullptr;
  const auto digest = crypto::sha256(secret);
  const Entry* found = nullptr;
  for (const auto& entry : entries_) {
    if (crypto::equal_in_constant_time(entry.digest, digest)) found = &entry;
  }
  return found ? found->identity : nullptr;
}

Task<std::optional<http::Response>> ApiKeyCheck::refuse(http::Request& request) const {
  request.principal.clear();
  request.identity.reset();
  if (std::ranges::find(options_.open_paths, request.path) != options_.open_paths.end()) return std::nullopt;
  const auto secret = secret_of(request);
  if (!secret) return challenge("", "send one key, as Authorization: Bearer or as X-API-Key");
  auto identity = identity_of(*secret);
  if (!identity) return challenge(R"(, error="invalid_token")", "unknown key");
  request.principal = identity->principal;
  request.identity = std::move(identity);
  return std::nullopt;
}

http::Response ApiKeyCheck::challenge(std::string_view error, std::string_view what_to_do) const {
  http::Response response{.status = 401, .content_type = "text/plain; charset=utf-8", .body = std::string(what_to_do)};
  response.headers.push_back({"WWW-Authenticate", fmt::format("Bearer realm=\"{}\"{}", options_.realm, error)});
  return response;
}

}  // namespace fairlead::auth
