#include <fairlead/auth/oauth_check.hpp>

#include <auth/token_issuer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crypto/digest.hpp"

namespace fairlead::auth::oauth_check_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct OAuthCheckTest : testing::Test {
  OAuthCheckOptions options() {
    OAuthCheckOptions made{.resource = "https://tools.example/mcp",
                           .issuers = {{.issuer = "https://auth.example", .jwks_file = issuer.file()}}};
    made.scopes = {.all = {"mcp"},
                   .tools = {{"git_*", {"git:read"}}, {"git_push", {"git:write"}}},
                   .methods = {{"resources/*", {"files:read"}}},
                   .implies = {{"git:write", {"git:read"}}}};
    made.now = [this] { return TokenIssuer::time(elapsed); };
    return made;
  }

  struct Answer {
    std::uint16_t status = 200;
    std::string challenge = {};
    std::string body = {};
    std::string principal = {};
    std::shared_ptr<const http::Identity> identity = {};
  };
  Answer ask(const OAuthCheck& check, const std::string& authorization, bool twice = false) {
    http::Request request;
    request.method = "POST";
    request.path = path;
    request.identity = certificate;
    if (!api_key.empty()) request.headers.push_back({"X-API-Key", api_key});
    if (!authorization.empty()) request.headers.push_back({"Authorization", authorization});
    if (twice) request.headers.push_back({"Authorization", authorization});
    request.principal = "mallory";
    auto checking = check.refuse(request);
    EXPECT_TRUE(checking.is_ready());
    auto response = checking.take();
    Answer answer{.principal = request.principal, .identity = request.identity};
    if (!response) return answer;
    answer.status = response->status;
    answer.body = response->body;
    for (const auto& header : response->headers) {
      if (header.name == "WWW-Authenticate") answer.challenge = header.value;
    }
    return answer;
  }
  Answer ask(const std::string& authorization) { return ask(*check(), authorization); }
  std::uint16_t status_of(const std::string& token) { return ask("Bearer " + token).status; }
  std::shared_ptr<const OAuthCheck> check() { return OAuthCheck::make(options()).value(); }

  TokenIssuer issuer;
  std::int64_t elapsed = 0;
  std::string path = "/mcp";
  std::string api_key;
  std::shared_ptr<const http::Identity> certificate;
};

TEST_F(OAuthCheckTest, AcceptsAValidTokenAndSetsTheIdentity) {
  const auto answer = ask("bearer " + issuer.token());
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.principal, "ann");
  ASSERT_TRUE(answer.identity);
  EXPECT_EQ(answer.identity->client_id, "app");
  EXPECT_EQ(answer.identity->scopes, (Scopes{"mcp", "git:read"}));
  EXPECT_EQ(answer.identity->claims, TokenIssuer::claims());
}

TEST_F(OAuthCheckTest, ChallengesARequestWithoutTokenWithoutError) {
  const auto answer = ask("");
  EXPECT_EQ(answer.status, 401);
  EXPECT_EQ(answer.principal, "");
  EXPECT_EQ(
      answer.challenge,
      R"(Bearer resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp", scope="mcp")");
}

TEST_F(OAuthCheckTest, RefusesTwoTokensAndMalformedOnesWith400) {
  EXPECT_EQ(ask(*check(), "Bearer " + issuer.token(), true).status, 400);
  for (const auto* token : {"Bearer", "Bearer ", "Bearer a b", "Bearer a\"b", "Bearer ==="}) {
    const auto answer = ask(token);
    EXPECT_EQ(answer.status, 400) << token;
    EXPECT_THAT(answer.challenge, HasSubstr(R"(error="invalid_request")")) << token;
  }
  EXPECT_EQ(ask("Bearer " + std::string(8193, 'a')).status, 400);
}

TEST_F(OAuthCheckTest, RefusesATokenForAnotherAudience) {
  for (const auto* audience : {R"("https://tools.example/other")", R"("https://tools.example/mcp/")", "[]", "7",
                               R"(["https://tools.example",7])"}) {
    const auto other = TokenIssuer::claims();
    const auto at = other.find(R"("https://tools.example/mcp")");
    auto claims = other;
    claims.replace(at, std::string_view(R"("https://tools.example/mcp")").size(), audience);
    const auto answer = ask("Bearer " + issuer.token(claims));
    EXPECT_EQ(answer.status, 401) << audience;
    EXPECT_THAT(answer.challenge, HasSubstr(R"(error="invalid_token")"));
    EXPECT_THAT(answer.challenge, Not(HasSubstr("tools.example/other")));
  }
}

TEST_F(OAuthCheckTest, AcceptsOneOfSeveralAudiences) {
  auto claims = TokenIssuer::claims();
  claims.replace(claims.find(R"("https://tools.example/mcp")"), 27, R"(["x","https://tools.example/mcp"])");
  EXPECT_EQ(status_of(issuer.token(claims)), 200);
}

TEST_F(OAuthCheckTest, RefusesAForeignIssuerAndTheKeyOfAnother) {
  auto claims = TokenIssuer::claims();
  claims.replace(claims.find("auth.example"), 12, "evil.example");
  EXPECT_EQ(status_of(issuer.token(claims)), 401);
  const TokenIssuer other;
  EXPECT_EQ(status_of(other.token()), 401);
}

TEST_F(OAuthCheckTest, RefusesAlgNoneAndHmacWithThePublicKey) {
  const auto unsigned_token =
      jose::base64url(R"({"alg":"none","typ":"at+jwt"})") + '.' + jose::base64url(TokenIssuer::claims()) + '.';
  EXPECT_EQ(status_of(unsigned_token), 401);
  const auto input =
      jose::base64url(R"({"alg":"HS256","typ":"at+jwt","kid":"k1"})") + '.' + jose::base64url(TokenIssuer::claims());
  EXPECT_EQ(status_of(input + '.' + jose::base64url(crypto::sha256(issuer.key().public_jwk() + input))), 401);
  auto none = options();
  none.algorithms = {"ES256", "none"};
  EXPECT_FALSE(OAuthCheck::make(none));
  none.algorithms = {"HS256"};
  EXPECT_FALSE(OAuthCheck::make(none));
}

TEST_F(OAuthCheckTest, IgnoresKeysInTheHeaderOfTheToken) {
  const TokenIssuer attacker;
  const auto jwk = attacker.key().public_jwk();
  for (const auto& member :
       {R"("jwk":)" + jwk, std::string(R"("jku":"https://evil.example/jwks")"), std::string(R"("x5c":["AAAA"])"),
        std::string(R"("x5u":"https://evil.example/x")"), R"("kid":"k1","jwk":)" + jwk}) {
    const auto header = R"({"alg":"ES256","typ":"at+jwt",)" + member + "}";
    EXPECT_EQ(status_of(attacker.token(TokenIssuer::claims(), header)), 401) << member;
  }
}

TEST_F(OAuthCheckTest, AttackRefusesTheKeyOfAnotherTrustedIssuer) {
  const TokenIssuer other;
  auto two = options();
  two.issuers.push_back({.issuer = "https://other.example", .jwks_file = other.file()});
  const auto one = OAuthCheck::make(two).value();
  EXPECT_EQ(ask(*one, "Bearer " + other.token()).status, 401);
  EXPECT_EQ(ask(*one, "Bearer " + issuer.token()).status, 200);
}

TEST_F(OAuthCheckTest, AttackRefusesTheTokenOfAnotherEndpoint) {
  auto several = options();
  several.endpoints = {{.path = "/s/git", .resource = "https://tools.example/s/git/mcp"}};
  const auto one = OAuthCheck::make(several).value();
  path = "/s/git/mcp";
  const auto answer = ask(*one, "Bearer " + issuer.token());
  EXPECT_EQ(answer.status, 401);
  EXPECT_THAT(answer.challenge, HasSubstr("/.well-known/oauth-protected-resource/s/git/mcp"));
  auto claims = TokenIssuer::claims();
  claims.replace(claims.find("https://tools.example/mcp"), 25, "https://tools.example/s/git/mcp");
  EXPECT_EQ(ask(*one, "Bearer " + issuer.token(claims)).status, 200);
  path = "/mcp";
  EXPECT_EQ(ask(*one, "Bearer " + issuer.token(claims)).status, 401);
  EXPECT_EQ(ask(*one, "Bearer " + issuer.token()).status, 200);
  path = "/s/github/mcp";
  EXPECT_EQ(ask(*one, "Bearer " + issuer.token(claims)).status, 401);
}

TEST_F(OAuthCheckTest, AcceptsATokenOfACertificateOnlyOnAConnectionWithIt) {
  const auto bound = "Bearer " + issuer.token(TokenIssuer::claims(R"(,"cnf":{"x5t#S256":"thumb-a"})"));
  const auto one = check();
  EXPECT_EQ(ask(*one, bound).status, 401);
  http::Identity other{
      .principal = "CN=x", .scopes = {}, .binding = http::TokenBinding::certificate, .bound_to = "thumb-b"};
  certificate = std::make_shared<const http::Identity>(other);
  EXPECT_EQ(ask(*one, bound).status, 401);
  other.bound_to = "thumb-a";
  certificate = std::make_shared<const http::Identity>(other);
  const auto answer = ask(*one, bound);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.principal, "ann");
}

TEST_F(OAuthCheckTest, AcceptsAKeyWithItsScopesInsteadOfAToken) {
  auto with_keys = options();
  std::vector<ApiKey> keys{{"bot", sha256_hex("key-of-bot"), {"mcp", "git:read"}}, {"old", sha256_hex("key-of-old")}};
  with_keys.keys = std::make_shared<const ApiKeyCheck>(ApiKeyCheck::make(std::move(keys)).value());
  const auto one = OAuthCheck::make(with_keys).value();
  api_key = "key-of-bot";
  const auto answer = ask(*one, "");
  EXPECT_EQ(answer.principal, "bot");
  EXPECT_TRUE(one->refuse_operation(*answer.identity, {.method = "tools/call", .tool = "git_push"}));
  api_key = "key-of-old";
  EXPECT_EQ(ask(*one, "").status, 403);
  api_key = "unknown";
  EXPECT_EQ(ask(*one, "").status, 401);
}

TEST_F(OAuthCheckTest, RefusesOtherTypesUnlessAnyIsAllowed) {
  const auto id_token = issuer.token(TokenIssuer::claims(), R"({"alg":"ES256","typ":"JWT","kid":"k1"})");
  EXPECT_EQ(status_of(id_token), 401);
  auto lenient = options();
  lenient.issuers[0].any_typ = true;
  EXPECT_EQ(ask(*OAuthCheck::make(lenient).value(), "Bearer " + id_token).status, 200);
}

TEST_F(OAuthCheckTest, RefusesTokensOutsideTheirTime) {
  const auto with = [&](std::string_view from, std::string_view to) {
    auto claims = TokenIssuer::claims();
    claims.replace(claims.find(from), from.size(), to);
    return status_of(issuer.token(claims));
  };
  EXPECT_EQ(with(R"("exp":1800000600)", R"("exp":1799999941)"), 200);  // Within the skew of 60 s.
  EXPECT_EQ(with(R"("exp":1800000600)", R"("exp":1799999940)"), 401);
  EXPECT_EQ(with(R"("exp":1800000600)", R"("exp":"1800000600")"), 401);
  EXPECT_EQ(with(R"("exp":1800000600,)", ""), 401);
  EXPECT_EQ(with(R"("iat":1800000000)", R"("iat":1800000061)"), 401);
  EXPECT_EQ(with(R"("iat":1800000000)", R"("nbf":1800000061)"), 401);
  EXPECT_EQ(with(R"("exp":1800000600)", R"("exp":1e300)"), 200);
}

TEST_F(OAuthCheckTest, ForgetsACachedTokenWhenItExpires) {
  const auto one = check();
  const auto token = "Bearer " + issuer.token();
  EXPECT_EQ(ask(*one, token).status, 200);
  EXPECT_EQ(ask(*one, token).identity, ask(*one, token).identity);
  elapsed = 700;
  EXPECT_EQ(ask(*one, token).status, 401);
}

TEST_F(OAuthCheckTest, RefusesABoundTokenAsBearerAndAnUnboundOneAsDpop) {
  EXPECT_EQ(status_of(issuer.token(TokenIssuer::claims(R"(,"cnf":{"jkt":"abc"})"))), 401);
  EXPECT_EQ(status_of(issuer.token(TokenIssuer::claims(R"(,"cnf":{"x5t#S256":"abc"})"))), 401);
  EXPECT_EQ(status_of(issuer.token(TokenIssuer::claims(R"(,"cnf":{"other":"abc"})"))), 401);
  EXPECT_EQ(status_of(issuer.token(TokenIssuer::claims(R"(,"cnf":null)"))), 401);
  EXPECT_EQ(ask("DPoP " + issuer.token()).status, 401);
}

TEST_F(OAuthCheckTest, NamesMachinesAndIssuersInThePrincipal) {
  auto claims = TokenIssuer::claims();
  claims.replace(claims.find(R"("sub":"ann")"), 11, R"("sub":"app")");
  EXPECT_EQ(ask("Bearer " + issuer.token(claims)).principal, "client:app");
  claims.replace(claims.find(R"("sub":"app")"), 11, R"("sub":"client:root")");
  EXPECT_EQ(ask("Bearer " + issuer.token(claims)).status, 401);
  auto two = options();
  two.issuers.push_back({.issuer = "https://other.example", .jwks_file = issuer.file()});
  EXPECT_EQ(ask(*OAuthCheck::make(two).value(), "Bearer " + issuer.token()).principal, "https://auth.example#ann");
}

TEST_F(OAuthCheckTest, TakesAnEmailOnlyIfItIsVerified) {
  auto by_email = options();
  by_email.principal_claim = "email";
  const auto one = OAuthCheck::make(by_email).value();
  EXPECT_EQ(ask(*one, "Bearer " + issuer.token(TokenIssuer::claims(R"(,"email":"a@b.c")"))).status, 401);
  EXPECT_EQ(
      ask(*one, "Bearer " + issuer.token(TokenIssuer::claims(R"(,"email":"a@b.c","email_verified":true)"))).principal,
      "a@b.c");
}

TEST_F(OAuthCheckTest, RefusesATokenWithoutTheBasicScopeWith403) {
  auto claims = TokenIssuer::claims();
  claims.replace(claims.find("mcp git:read"), 12, "git:write");
  const auto answer = ask("Bearer " + issuer.token(claims));
  EXPECT_EQ(answer.status, 403);
  EXPECT_THAT(answer.challenge, HasSubstr(R"(error="insufficient_scope")"));
  EXPECT_THAT(answer.challenge, HasSubstr(R"(scope="mcp")"));
}

TEST_F(OAuthCheckTest, ListsAllScopesOfARefusedOperation) {
  const auto one = check();
  const auto ann = ask(*one, "Bearer " + issuer.token()).identity;
  ASSERT_TRUE(ann);
  EXPECT_FALSE(one->refuse_operation(*ann, {.method = "tools/call", .tool = "git_log"}));
  const auto refusal = one->refuse_operation(*ann, {.method = "tools/call", .tool = "git_push"});
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->response.status, 403);
  EXPECT_EQ(refusal->scope, "git:read git:write mcp");
  EXPECT_THAT(refusal->response.headers.at(0).value, HasSubstr(R"(scope="git:read git:write mcp")"));
  EXPECT_TRUE(one->refuse_operation(*ann, {.method = "resources/read"}));
}

TEST_F(OAuthCheckTest, AScopeIncludesTheImpliedOnes) {
  const auto one = check();
  EXPECT_TRUE(one->scopes().allows({"mcp", "git:write"}, one->scopes().needed("tools/call", "git_push")));
  EXPECT_FALSE(one->scopes().allows({"mcp", "git:read"}, one->scopes().needed("tools/call", "git_push")));
}

TEST_F(OAuthCheckTest, ReadsScopesOfScp) {
  for (const auto* scp : {R"("scp":["mcp"])", R"("scp":"mcp x")"}) {
    auto claims = TokenIssuer::claims();
    claims.replace(claims.find(R"("scope":"mcp git:read")"), 22, scp);
    EXPECT_EQ(status_of(issuer.token(claims)), 200) << scp;
  }
}

TEST_F(OAuthCheckTest, AttackAStormOfBadTokensDoesNotUseTheCpuNorHinderKnownTokens) {
  const auto one = check();
  const auto good = "Bearer " + issuer.token();
  EXPECT_EQ(ask(*one, good).status, 200);
  const auto bad = [&](int number) { return "Bearer " + issuer.token() + std::to_string(number); };
  int limited = 0;
  for (int i = 0; i < 300; ++i) limited += ask(*one, bad(i)).status == 429 ? 1 : 0;
  EXPECT_EQ(limited, 100);
  EXPECT_EQ(ask(*one, good).status, 200);
  elapsed = 1;
  EXPECT_EQ(ask(*one, bad(1000)).status, 401);
}

TEST_F(OAuthCheckTest, ServesItsMetadataToAnyPage) {
  http::Request request;
  request.method = "GET";
  request.path = "/.well-known/oauth-protected-resource/mcp";
  const auto response = check()->public_document(request);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body,
            R"({"resource":"https://tools.example/mcp","authorization_servers":["https://auth.example"],)"
            R"("scopes_supported":["mcp"],"bearer_methods_supported":["header"],)"
            R"("dpop_signing_alg_values_supported":["RS256","PS256","ES256","ES384","EdDSA","Ed25519"]})");
  EXPECT_EQ(response->headers.at(0), (http::Header{"Access-Control-Allow-Origin", "*"}));
  request.method = "OPTIONS";
  EXPECT_EQ(check()->public_document(request)->status, 204);
  request.method = "POST";
  EXPECT_EQ(check()->public_document(request)->status, 405);
  request.path = "/.well-known/oauth-protected-resource";
  EXPECT_FALSE(check()->public_document(request));
}

TEST_F(OAuthCheckTest, RefusesOptionsThatCannotWork) {
  for (const auto* resource : {"", "tools.example", "https://", "ftp://x", "https://x/mcp?a", "https://x/#f"}) {
    auto wrong = options();
    wrong.resource = resource;
    EXPECT_FALSE(OAuthCheck::make(wrong)) << resource;
  }
  auto wrong = options();
  wrong.issuers[0].jwks_file = "/nonexistent";
  EXPECT_FALSE(OAuthCheck::make(wrong));
  wrong = options();
  wrong.issuers.clear();
  EXPECT_FALSE(OAuthCheck::make(wrong));
  wrong = options();
  wrong.scopes.all = {"two words"};
  EXPECT_FALSE(OAuthCheck::make(wrong));
}

TEST_F(OAuthCheckTest, AnswersContainNothingOfTheToken) {
  const auto claims = TokenIssuer::claims(R"(,"cnf":{"jkt":"secret-thumb"})");
  const auto token = issuer.token(claims);
  const auto answer = ask("Bearer " + token);
  EXPECT_EQ(answer.status, 401);
  EXPECT_THAT(answer.challenge + answer.body, Not(HasSubstr("secret-thumb")));
  EXPECT_THAT(answer.challenge + answer.body, Not(HasSubstr(token.substr(0, 20))));
}

}  // namespace
}  // namespace fairlead::auth::oauth_check_test
