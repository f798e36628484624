#include <auth/token_issuer.hpp>
#include <fairlead/auth/oauth_check.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crypto/digest.hpp"

namespace fairlead::auth::dpop_test {
namespace {

using testing::HasSubstr;

struct DpopTest : testing::Test {
  DpopTest() {
    OAuthCheckOptions options{.resource = "https://tools.example/mcp",
                              .issuers = {{.issuer = "https://auth.example", .jwks_file = issuer.file()}}};
    options.now = [this] { return TokenIssuer::time(elapsed); };
    check = OAuthCheck::make(std::move(options)).value();
    token = issuer.token(TokenIssuer::claims(R"(,"cnf":{"jkt":")" + client.thumbprint() + R"("})"));
  }

  struct Proof {
    std::string typ = "dpop+jwt";
    std::string htm = "POST";
    std::string htu = "https://tools.example/mcp";
    std::int64_t iat = TokenIssuer::now;
    std::string jti = "one";
    std::optional<std::string> token = {};
    std::optional<std::string> jwk = {};
    std::string nonce = {};
  };
  std::string proof(const Proof& parts) const {
    const auto header =
        R"({"alg":"ES256","typ":")" + parts.typ + R"(","jwk":)" + parts.jwk.value_or(client.public_jwk()) + "}";
    const auto claims = R"({"htm":")" + parts.htm + R"(","htu":")" + parts.htu + R"(","iat":)" +
                        std::to_string(parts.iat) + R"(,"jti":")" + parts.jti + R"(","ath":")" +
                        jose::base64url(crypto::sha256(parts.token.value_or(token))) + R"(")" +
                        (parts.nonce.empty() ? "" : R"(,"nonce":")" + parts.nonce + R"(")") + "}";
    return jose::sign(client, "ES256", header, claims).value();
  }

  std::string ask(const std::string& scheme, const std::vector<std::string>& proofs) {
    http::Request request;
    request.method = "POST";
    request.path = "/mcp";
    const auto authorization = scheme + " " + token;
    request.headers.push_back({"Authorization", authorization});
    for (const auto& each : proofs) request.headers.push_back({"DPoP", each});
    const auto response = check->refuse(request).take();
    if (!response) return request.principal;
    for (const auto& header : response->headers) {
      if (header.name == "DPoP-Nonce") nonce = header.value;
    }
    return std::to_string(response->status) + " " + response->headers.at(0).value;
  }
  std::string ask(const Proof& parts) { return ask("DPoP", {proof(parts)}); }

  TokenIssuer issuer;
  std::int64_t elapsed = 0;
  jose::Key client = jose::Key::generate_es256().value();
  std::shared_ptr<const OAuthCheck> check;
  std::string token;
  std::string nonce;  // Of the last refusal.
};

TEST_F(DpopTest, AcceptsABoundTokenWithItsProof) {
  EXPECT_EQ(ask(Proof{}), "ann");
  EXPECT_EQ(ask(Proof{.htu = "https://tools.example/mcp?x=1", .jti = "two"}), "ann");
}

TEST_F(DpopTest, RefusesAReplayedProof) {
  EXPECT_EQ(ask(Proof{}), "ann");
  EXPECT_THAT(ask(Proof{}), HasSubstr("used before"));
  elapsed = 299;
  EXPECT_THAT(ask(Proof{}), HasSubstr("used before"));
  EXPECT_EQ(ask(Proof{.jti = "two"}), "ann");
}

TEST_F(DpopTest, RefusesABoundTokenAsBearer) {
  EXPECT_THAT(ask("Bearer", {}), HasSubstr("401 DPoP algs="));
  EXPECT_THAT(ask("Bearer", {proof({})}), HasSubstr(R"(error="invalid_token")"));
}

TEST_F(DpopTest, RefusesMissingAndSeveralProofs) {
  EXPECT_THAT(ask("DPoP", {}), HasSubstr(R"(error="invalid_dpop_proof")"));
  EXPECT_THAT(ask("DPoP", {proof({.jti = "a"}), proof({.jti = "b"})}), HasSubstr("one DPoP header"));
}

TEST_F(DpopTest, RefusesAProofForSomethingElse) {
  EXPECT_THAT(ask(Proof{.typ = "JWT"}), HasSubstr("(typ)"));
  EXPECT_THAT(ask(Proof{.htm = "GET"}), HasSubstr("(htm)"));
  EXPECT_THAT(ask(Proof{.htu = "https://other.example/mcp"}), HasSubstr("(htu)"));
  EXPECT_THAT(ask(Proof{.iat = TokenIssuer::now - 301}), HasSubstr("(iat)"));
  EXPECT_THAT(ask(Proof{.iat = TokenIssuer::now + 301}), HasSubstr("(iat)"));
  EXPECT_THAT(ask(Proof{.jti = ""}), HasSubstr("(jti)"));
  EXPECT_THAT(ask(Proof{.token = "other"}), HasSubstr("(ath)"));
}

TEST_F(DpopTest, RefusesTheProofOfAnotherKey) {
  const auto own = client;
  client = jose::Key::generate_es256().value();
  EXPECT_THAT(ask(Proof{}), HasSubstr("(jkt)"));
  EXPECT_THAT(ask(Proof{.jwk = own.public_jwk()}), HasSubstr("not signed"));
}

TEST_F(DpopTest, AsksForANonceOfThisServer) {
  OAuthCheckOptions options{.resource = "https://tools.example/mcp",
                            .issuers = {{.issuer = "https://auth.example", .jwks_file = issuer.file()}}};
  options.dpop.nonces = true;
  options.now = [this] { return TokenIssuer::time(elapsed); };
  check = OAuthCheck::make(options).value();
  EXPECT_THAT(ask(Proof{}), HasSubstr(R"(error="use_dpop_nonce")"));
  const auto first = nonce;
  EXPECT_EQ(ask(Proof{.nonce = first}), "ann");
  elapsed = 299;
  EXPECT_EQ(ask(Proof{.jti = "two", .nonce = first}), "ann");
  elapsed = 601;
  EXPECT_THAT(ask(Proof{.iat = TokenIssuer::now + 600, .jti = "three", .nonce = first}), HasSubstr("use_dpop_nonce"));
  EXPECT_NE(nonce, first);
}

TEST_F(DpopTest, RefusesUnboundTokensIfTheyMustBeBound) {
  OAuthCheckOptions options{.resource = "https://tools.example/mcp",
                            .issuers = {{.issuer = "https://auth.example", .jwks_file = issuer.file()}}};
  options.dpop.required = true;
  options.now = [this] { return TokenIssuer::time(elapsed); };
  check = OAuthCheck::make(options).value();
  EXPECT_EQ(ask(Proof{}), "ann");
  token = issuer.token();
  EXPECT_THAT(ask("Bearer", {}), HasSubstr("401 DPoP "));
}

}  // namespace
}  // namespace fairlead::auth::dpop_test
