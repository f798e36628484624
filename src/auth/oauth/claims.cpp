#include "auth/oauth/claims.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fairlead/auth/scopes.hpp>
#include <fairlead/json/reader.hpp>
#include <optional>
#include <utility>

namespace fairlead::auth {
namespace {

using jose::Members;
using jose::text_member;

std::unexpected<Error> refused_claim(std::string why) {
  return fail(ErrorKind::refused, std::move(why));
}

/// NumericDate (RFC 7519, 2). Nothing if it is absent or not a number of this epoch.
std::optional<WallTime> time_member(const Members& claims, std::string_view name) {
  const auto found = claims.find(name);
  if (found == claims.end()) return std::nullopt;
  double seconds = 0;
  const auto& text = found->second;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  // Beyond the year 9999 the conversion to nanoseconds would overflow; clamp.
  constexpr double latest = 8.0e9;
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(seconds) || seconds < 0) {
    return std::nullopt;
  }
  return WallTime(std::chrono::seconds(static_cast<std::int64_t>(std::min(seconds, latest))));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end != 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// A text, or the texts of a list. Nothing for other JSON.
std::optional<std::vector<std::string>> texts_of(std::string_view json) {
  json::Reader reader(json);
  std::vector<std::string> texts;
  if (reader.kind() == json::Kind::string) {
    reader.string(texts.emplace_back());
    return texts;
  }
  if (reader.kind() != json::Kind::array) return std::nullopt;
  for (reader.open(); reader.more();) {
    if (reader.kind() != json::Kind::string) return std::nullopt;
    reader.string(texts.emplace_back());
  }
  return texts;
}

Result<void> check_audience(const Members& claims, const std::vector<std::string>& own) {
  const auto found = claims.find("aud");
  const auto texts = found == claims.end() ? std::nullopt : texts_of(found->second);
  if (!texts) return refused_claim("the token has no audience");
  const auto is_own = [&](const std::string& audience) { return std::ranges::find(own, audience) != own.end(); };
  if (!std::ranges::any_of(*texts, is_own)) return refused_claim("the token is for another resource (aud)");
  return {};
}

Result<std::optional<WallTime>> check_times(const Members& claims, const ClaimRules& rules, WallTime now) {
  const auto skew = rules.skew;
  const auto expires = time_member(claims, "exp");
  const bool may_lack = rules.introspected && !claims.contains("exp");
  if (!expires && !may_lack) return refused_claim("the token has no valid expiry (exp)");
  if (expires && *expires + skew <= now) return refused_claim("the token has expired");
  for (const auto* name : {"nbf", "iat"}) {
    if (!claims.contains(name)) continue;
    const auto begin = time_member(claims, name);
    if (!begin || *begin > now + skew) return refused_claim(std::string("the token is not valid yet (") + name + ")");
  }
  return expires;
}

/// `scope` as text (RFC 9068), `scp` as a list or text (Entra, Okta).
std::vector<std::string> granted_scopes(const Members& claims) {
  if (const auto scope = text_member(claims, "scope")) return words_of(*scope);
  const auto found = claims.find("scp");
  auto texts = found == claims.end() ? std::nullopt : texts_of(found->second);
  if (!texts) return {};
  return found->second.starts_with('"') ? words_of(texts->front()) : std::move(*texts);
}

/// Sets the binding of `cnf`. A confirmation of an unknown kind cannot be satisfied.
Result<void> read_binding(const Members& claims, http::Identity& identity) {
  const auto found = claims.find("cnf");
  if (found == claims.end()) return {};
  const auto members = jose::read_members(found->second);
  if (members && members->size() == 1) {
    const auto& name = members->begin()->first;
    identity.bound_to = text_member(*members, name).value_or("");
    if (name == "jkt") identity.binding = http::TokenBinding::dpop_key;
    if (name == "x5t#S256") identity.binding = http::TokenBinding::certificate;
  }
  if (identity.binding != http::TokenBinding::none && !identity.bound_to.empty()) return {};
  return refused_claim("the token is bound in a way that is not supported (cnf)");
}

Result<std::string> principal_of(const Members& claims, const ClaimRules& rules, const http::Identity& identity) {
  std::string name;
  if (!rules.principal_claim.empty()) {
    name = text_member(claims, rules.principal_claim).value_or("");
    if (name.empty()) return refused_claim("the token lacks the claim " + rules.principal_claim);
    // Who can choose any address at the issuer must not become its owner here.
    const auto verified = claims.find("email_verified");
    if (rules.principal_claim == "email" && (verified == claims.end() || verified->second != "true")) {
      return refused_claim("the email of the token is not verified (email_verified)");
    }
  } else if (identity.subject.empty() || identity.subject == identity.client_id) {
    // RFC 9068, 5: the subject of a client of its own must not be taken for a user.
    if (identity.client_id.empty())
      return refused_claim("the token names neither a subject nor a client (sub, client_id)");
    name = "client:" + identity.client_id;
  } else if (identity.subject.starts_with("client:")) {
    return refused_claim("the subject of the token looks like a client (sub)");
  } else {
    name = identity.subject;
  }
  return rules.issuer_in_principal ? rules.issuer + '#' + name : name;
}

}  // namespace

Result<http::Identity> identity_of(const Members& claims, std::string_view claims_json, const ClaimRules& rules,
                                   WallTime now) {
  const bool may_lack_issuer = rules.introspected && !claims.contains("iss");
  if (!may_lack_issuer && text_member(claims, "iss") != rules.issuer)
    return refused_claim("the token is of another issuer (iss)");
  if (auto checked = check_audience(claims, rules.audiences); !checked) return std::unexpected(checked.error());
  const auto expires = check_times(claims, rules, now);
  if (!expires) return std::unexpected(expires.error());
  http::Identity identity;
  identity.issuer = rules.issuer;
  identity.subject = text_member(claims, "sub").value_or("");
  identity.client_id = text_member(claims, "client_id").value_or(text_member(claims, "azp").value_or(""));
  identity.scopes = granted_scopes(claims);
  identity.claims = claims_json;
  identity.expires = *expires;
  if (auto bound = read_binding(claims, identity); !bound) return std::unexpected(bound.error());
  auto principal = principal_of(claims, rules, identity);
  if (!principal) return std::unexpected(principal.error());
  identity.principal = std::move(*principal);
  return identity;
}

}  // namespace fairlead::auth
