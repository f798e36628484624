#include <chrono>
#include <fairlead/base/base64.hpp>
#include <fairlead/json/writer.hpp>

#include "auth/client/token_request.hpp"
#include "auth/jose/jose.hpp"
#include "crypto/digest.hpp"
#include "http/url.hpp"

namespace fairlead::auth {
namespace {

class KeyProver final : public DpopProver {
 public:
  explicit KeyProver(jose::Key key) : key_(std::move(key)) {}

  Result<std::string> proof(std::string_view method, std::string_view url, std::string_view token) override {
    const auto parsed = http::parse_url(url);
    if (!parsed) return std::unexpected(parsed.error());
    using namespace std::chrono;
    const auto now = duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
    std::string claims;
    {
      json::ObjectWriter writer(claims);
      writer.text("jti", random_text(16)).text("htm", method);
      writer.text("htu", url.substr(0, url.find_first_of("?#"))).raw("iat", std::to_string(now));
      if (!token.empty()) writer.text("ath", base64_encode(crypto::sha256(token), Base64::url));
      if (const auto nonce = nonces_.find(parsed->origin()); nonce != nonces_.end())
        writer.text("nonce", nonce->second);
    }
    std::string header;
    json::ObjectWriter(header).text("typ", "dpop+jwt").text("alg", "ES256").raw("jwk", key_.public_jwk());
    return jose::sign(key_, "ES256", header, claims);
  }

  void observe(std::string_view url, const http::ClientResponse& response) override {
    const auto nonce = response.header("DPoP-Nonce");
    const auto parsed = http::parse_url(url);
    if (nonce && parsed) nonces_.insert_or_assign(parsed->origin(), std::string(*nonce));
  }

 private:
  jose::Key key_;
  std::map<std::string, std::string> nonces_;
};

class FixedToken final : public TokenSource {
 public:
  explicit FixedToken(std::string token) : credential_{.scheme = "Bearer", .token = std::move(token)} {}

  Task<Result<Credential>> get(const EventLoop&) override { return credential_; }
  Task<Result<Credential>> refused(EventLoop, Challenge why, Credential) override {
    Error error{.kind = ErrorKind::refused,
                .message = "the server answered " + std::to_string(why.status) +
                           " to the configured token; check that it is valid and meant for this server",
                .code = why.status,
                .cause = cause_token_refused};
    return Result<Credential>(std::unexpected(std::move(error)));
  }

 private:
  Credential credential_;
};

}  // namespace

std::shared_ptr<DpopProver> make_dpop_prover(const std::string& private_key_pem) {
  auto key = jose::Key::from_pem(private_key_pem);
  return key ? std::make_shared<KeyProver>(std::move(*key)) : nullptr;
}

Result<std::string> new_dpop_key() {
  const auto key = jose::Key::generate_es256();
  if (!key) return std::unexpected(key.error());
  return key->to_pem();
}

Result<void> add_authorization(std::vector<http::Header>& headers, const Credential& credential,
                               std::string_view method, std::string_view url) {
  if (credential.token.empty()) return {};
  headers.push_back({"Authorization", std::string(credential.scheme) + " " + credential.token});
  if (!credential.dpop) return {};
  auto proof = credential.dpop->proof(method, url, credential.token);
  if (!proof) return std::unexpected(std::move(proof.error()));
  headers.push_back({"DPoP", std::move(*proof)});
  return {};
}

Error TokenSource::rejected(const Challenge& why) const {
  return {.kind = ErrorKind::refused,
          .message = "the server answered " + std::to_string(why.status) + " again; check the configured token",
          .code = why.status,
          .cause = cause_token_refused};
}

std::shared_ptr<TokenSource> fixed_token(std::string bearer) {
  return std::make_shared<FixedToken>(std::move(bearer));
}

}  // namespace fairlead::auth
