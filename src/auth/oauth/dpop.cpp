#include "auth/oauth/dpop.hpp"

#include <charconv>
#include <utility>

#include "crypto/digest.hpp"
#include "crypto/random.hpp"
#include "crypto/secret.hpp"

namespace fairlead::auth {
namespace {

// How far `iat` may be from the clock of this server, in both directions.
constexpr std::chrono::seconds proof_window{300};

std::unexpected<Error> bad_proof(std::string why) {
  return fail(ErrorKind::refused, std::move(why));
}

std::optional<std::int64_t> whole_seconds(const jose::Members& claims, std::string_view name) {
  const auto found = claims.find(name);
  if (found == claims.end()) return std::nullopt;
  const auto& text = found->second;
  std::int64_t seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  // A fraction is ignored. 8e9 is beyond the year 2200 and far from an overflow.
  const bool valid = read.ec == std::errc() && seconds >= 0 && seconds < 8'000'000'000;
  return valid ? std::optional(seconds) : std::nullopt;
}

/// The public key inside the proof. Nothing if it is absent or contains the private part.
std::optional<jose::Key> key_in_proof(const jose::Token& proof) {
  const auto jwk = proof.header_members.find("jwk");
  if (jwk == proof.header_members.end()) return std::nullopt;
  auto key = jose::Key::from_jwk(jwk->second);
  return key && !key->is_private() ? std::optional(std::move(*key)) : std::nullopt;
}

std::string_view without_query(std::string_view url) {
  return url.substr(0, url.find_first_of("?#"));
}

Result<void> check_claims(const jose::Members& claims, const ProvenRequest& request, ProofCheck::Time now) {
  using jose::text_member;
  if (text_member(claims, "htm") != request.method) return bad_proof("the DPoP proof is for another method (htm)");
  const auto url = text_member(claims, "htu");
  if (!url || without_query(*url) != request.url) return bad_proof("the DPoP proof is for another URL (htu)");
  const auto issued = whole_seconds(claims, "iat");
  const auto clock = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  if (!issued || *issued > clock + proof_window.count() || *issued < clock - proof_window.count()) {
    return bad_proof("the DPoP proof is too old, or the clocks differ (iat)");
  }
  if (text_member(claims, "ath") != jose::base64url(crypto::sha256(request.token))) {
    return bad_proof("the DPoP proof is for another token (ath)");
  }
  return {};
}

}  // namespace

DpopNonces::DpopNonces(std::string secret) : secret_(std::move(secret)) {
  constexpr std::size_t secret_size = 32;
  if (secret_.empty()) secret_ = crypto::random_bytes(secret_size);
}

std::int64_t DpopNonces::window(Time now) {
  return now.time_since_epoch() / std::chrono::minutes{5};
}

std::string DpopNonces::of_window(std::int64_t window) const {
  constexpr std::size_t nonce_bytes = 16;
  return jose::base64url(crypto::hmac_sha256(secret_, std::to_string(window)).substr(0, nonce_bytes));
}

bool DpopNonces::accepts(std::string_view nonce, Time now) const {
  const auto current = window(now);
  return nonce == of_window(current) || nonce == of_window(current - 1);
}

Result<void> ProofCheck::check(std::string_view proof, const ProvenRequest& request, Time now) {
  std::string thumbprint;
  const auto own_key = [&](const jose::Token& token) {
    auto key = key_in_proof(token);
    if (key) thumbprint = key->thumbprint();
    return key;
  };
  const auto verified = jose::verify(proof, own_key, algorithms_);
  if (!verified) return bad_proof("the DPoP proof is not signed by the key that it contains");
  if (jose::text_member(verified->header_members, "typ") != "dpop+jwt") {
    return bad_proof("the DPoP proof is not one (typ)");
  }
  if (!crypto::equal_in_constant_time(thumbprint, request.bound_to)) {
    return bad_proof("the token is bound to another key (jkt)");
  }
  if (auto fits = check_claims(verified->claim_members, request, now); !fits) return fits;
  if (nonces_ && !nonces_->accepts(jose::text_member(verified->claim_members, "nonce").value_or(""), now)) {
    auto missing = bad_proof("the DPoP proof lacks the nonce of this server: use the one in DPoP-Nonce");
    missing.error().subject = "use_dpop_nonce";
    return missing;
  }
  const auto id = jose::text_member(verified->claim_members, "jti").value_or("");
  if (id.empty()) return bad_proof("the DPoP proof has no id (jti)");
  return remember(crypto::sha256(thumbprint + id), now);
}

Result<void> ProofCheck::remember(const std::string& proof_id, Time now) {
  const std::scoped_lock lock(mutex_);
  for (const auto* oldest = seen_.oldest(); oldest != nullptr && *oldest <= now; oldest = seen_.oldest()) {
    const auto first = seen_.entries().front().key;
    seen_.take(first);
  }
  if (seen_.peek(proof_id) != nullptr) return bad_proof("the DPoP proof was used before (jti)");
  // To forget one that is still valid would allow its replay.
  if (seen_.size() >= max_proofs_) return bad_proof("too many DPoP proofs at a time: try again later");
  // A proof from the future is valid up to two windows from now.
  seen_.put(proof_id, now + 2 * proof_window);
  return {};
}

}  // namespace fairlead::auth
