#include <algorithm>
#include <array>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/reader.hpp>
#include <fairlead/json/scan.hpp>
#include <set>
#include <utility>

#include "auth/jose/jose.hpp"

namespace fairlead::auth::jose {
namespace {

// Claims nest a little; deeper text is an attack on the reader.
constexpr std::size_t deepest_json = 32;

std::unexpected<Error> malformed(std::string message) {
  return fail(ErrorKind::malformed, std::move(message));
}

/// True if an object inside the value has two members with the same name. Recursion is bounded by `deepest_json`.
bool repeats_a_member(std::string_view value) {  // NOLINT(misc-no-recursion)
  json::Reader reader(value);
  const auto kind = reader.kind();
  if (kind != json::Kind::object && kind != json::Kind::array) return false;
  std::set<std::string, std::less<>> names;
  for (reader.open(); reader.more();) {
    if (kind == json::Kind::object && !names.emplace(reader.key()).second) return true;
    if (repeats_a_member(reader.skip())) return true;
  }
  return false;
}

std::optional<std::array<std::string_view, 3>> three_parts(std::string_view compact) {
  const auto first = compact.find('.');
  const auto last = compact.rfind('.');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const auto middle = compact.substr(first + 1, last - first - 1);
  if (middle.contains('.')) return std::nullopt;
  return std::array{compact.substr(0, first), middle, compact.substr(last + 1)};
}

}  // namespace

std::string base64url(std::string_view bytes) {
  return base64_encode(bytes, Base64::url);
}

Result<std::string> from_base64url(std::string_view text) {
  return base64_decode(text, Base64::url);
}

Result<Members> read_members(std::string_view json) {
  const auto error = json::scan(json, {.max_depth = deepest_json});
  if (error) return malformed(error.message());
  json::Reader reader(json);
  if (reader.kind() != json::Kind::object) return malformed("expected a JSON object");
  Members members;
  for (reader.open(); reader.more();) {
    std::string name(reader.key());
    const auto value = reader.skip();
    if (repeats_a_member(value) || !members.emplace(name, value).second) {
      return malformed("a JSON object has two members with the same name");
    }
  }
  return members;
}

std::optional<std::string> text_member(const Members& members, std::string_view name) {
  const auto found = members.find(name);
  if (found == members.end() || !found->second.starts_with('"')) return std::nullopt;
  std::string text;
  json::Reader(found->second).string(text);
  return text;
}

Result<Token> split(std::string_view compact) {
  const auto parts = three_parts(compact);
  if (!parts) return malformed("a signed token has three parts, separated by dots");
  auto header = from_base64url((*parts)[0]);
  auto claims = from_base64url((*parts)[1]);
  auto signature = from_base64url((*parts)[2]);
  if (!header || !claims || !signature) return malformed("a part of the token is not base64url");
  auto header_members = read_members(*header);
  if (!header_members) return malformed("token header: " + header_members.error().message);
  auto claim_members = read_members(*claims);
  if (!claim_members) return malformed("token claims: " + claim_members.error().message);
  // RFC 7515, 4.1.11: no extension is understood here, so every critical one is unknown.
  if (header_members->contains("crit"))
    return malformed("the token has critical header members that are not supported");
  auto algorithm = text_member(*header_members, "alg");
  if (!algorithm) return malformed("the token header needs \"alg\"");
  auto kid = text_member(*header_members, "kid").value_or("");
  return Token{.header = std::move(*header),
               .claims = std::move(*claims),
               .header_members = std::move(*header_members),
               .claim_members = std::move(*claim_members),
               .algorithm = std::move(*algorithm),
               .kid = std::move(kid),
               .signing_input = std::string(compact.substr(0, (*parts)[0].size() + 1 + (*parts)[1].size())),
               .signature = std::move(*signature)};
}

Result<Verified> verify(std::string_view compact, const KeyLookup& key_of, const AllowedAlgorithms& allowed) {
  auto token = split(compact);
  if (!token) return std::unexpected(token.error());
  const auto& names = all_algorithms();
  if (std::ranges::find(allowed, token->algorithm) == allowed.end() ||
      std::ranges::find(names, token->algorithm) == names.end()) {
    return fail(ErrorKind::refused, "the signature algorithm of the token is not allowed");
  }
  const auto key = key_of(*token);
  if (!key) return fail(ErrorKind::refused, "no key is known for the token");
  if (!key->verify(token->algorithm, token->signing_input, token->signature)) {
    return fail(ErrorKind::refused, "the signature of the token is wrong");
  }
  return Verified{.header = std::move(token->header),
                  .claims = std::move(token->claims),
                  .header_members = std::move(token->header_members),
                  .claim_members = std::move(token->claim_members)};
}

Result<std::string> sign(const Key& key, std::string_view algorithm, std::string_view header_json,
                         std::string_view claims_json) {
  const auto header = read_members(header_json);
  if (!header || text_member(*header, "alg") != algorithm) {
    return fail(ErrorKind::invalid,
                "the header of a token is a JSON object whose \"alg\" is the algorithm of the signature");
  }
  auto compact = base64url(header_json) + '.' + base64url(claims_json);
  auto signature = key.sign(algorithm, compact);
  if (!signature) return std::unexpected(std::move(signature.error()));
  return compact + '.' + base64url(*signature);
}

}  // namespace fairlead::auth::jose
