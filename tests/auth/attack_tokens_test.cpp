#include <auth/scripted_issuer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <support/test_loop.hpp>

namespace fairlead::auth::attack_tokens_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view dpop_server = R"(,"dpop_signing_alg_values_supported":["ES256"])";

/// Token endpoints and servers that misbehave, against a client that has signed in.
struct AttackTokens : testing::Test {
  ~AttackTokens() override { test.run(issuer.stop()); }

  void begin() { tokens = oauth(options, store, user.sign_in()); }
  Result<Credential> refused(Credential used = {}, Challenge why = {.status = 401}) {
    return test.run(tokens->refused(test.loop(), std::move(why), std::move(used)));
  }
  Credential signed_in() {
    begin();
    auto credential = refused();
    EXPECT_TRUE(credential) << credential.error().message;
    return credential.value_or(Credential{});
  }
  Stored stored() { return test.run(store->load({.server = options.server})).value().value(); }
  /// Answers refreshes with this reply, and codes as before.
  void answer_refreshes(std::string reply) {
    issuer.special = [reply](const std::string& request) {
      return request.contains("grant_type=refresh_token") ? reply : std::string();
    };
  }
  void offer_dpop(bool offered) {
    issuer.set("GET /.well-known/oauth-protected-resource",
               issuer.resource_metadata(issuer.origin(), offered ? dpop_server : ""));
    issuer.set("GET /.well-known/oauth-authorization-server", issuer.server_metadata(offered ? dpop_server : ""));
  }

  test::TestLoop test;
  ScriptedIssuer issuer{test.loop()};
  ScriptedUser user;
  OAuthOptions options{.server = issuer.mcp()};
  std::shared_ptr<CredentialStore> store = memory_store();
  std::shared_ptr<TokenSource> tokens;
};

TEST_F(AttackTokens, OnlyInvalidGrantDropsTheRefreshToken) {
  const auto credential = signed_in();
  for (const auto* status : {"500 Internal Server Error", "503 Service Unavailable", "429 Too Many Requests"}) {
    answer_refreshes(json_response(status, R"({"error":"temporarily_unavailable"})"));
    EXPECT_FALSE(refused(credential)) << status;
    EXPECT_EQ(stored().refresh_token, "r-first-token") << status;
  }
  for (const auto* reply : {"", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "no HTTP\r\n\r\n<hang up>"}) {
    answer_refreshes(*reply == '\0' ? "<hang up>" : reply);
    EXPECT_FALSE(refused(credential)) << reply;
    EXPECT_EQ(stored().refresh_token, "r-first-token") << reply;
  }
  EXPECT_EQ(user.shown.size(), 1U) << "no error of the network opens a page";
  answer_refreshes(json_response("400 Bad Request", R"({"error":"invalid_grant"})"));
  issuer.set("POST /token", "{}", "500 Internal Server Error");
  EXPECT_FALSE(refused(credential));
  EXPECT_EQ(stored().refresh_token, "");
  EXPECT_EQ(stored().access_token, "first-token");
  EXPECT_EQ(user.shown.size(), 2U);
}

TEST_F(AttackTokens, ARefreshWithoutATokenKeepsTheLogin) {
  const auto credential = signed_in();
  for (const auto* body : {R"({"access_token":"","token_type":"Bearer"})", R"({"access_token":"x","token_type":"mac"})",
                           R"({"token_type":"Bearer"})"}) {
    answer_refreshes(json_response("200 OK", body));
    EXPECT_FALSE(refused(credential)) << body;
    EXPECT_EQ(stored().access_token, "first-token") << body;
  }
}

TEST_F(AttackTokens, TheRefreshTokenIsNotSentToANewIssuer) {
  const auto credential = signed_in();
  ScriptedIssuer other(test.loop());
  issuer.set("GET /.well-known/oauth-protected-resource", issuer.resource_metadata(other.origin()));
  other.set("POST /register", R"({"client_id":"c2"})", "201 Created");
  other.set("POST /token", ScriptedIssuer::token("second-token"));
  const auto moved = refused(credential);
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->token, "second-token");
  for (const auto& request : other.requests()) {
    EXPECT_THAT(request, Not(HasSubstr("first-token")));
    EXPECT_THAT(request, Not(HasSubstr("client_id=c1")));
  }
  test.run(other.stop());
}

TEST_F(AttackTokens, TheSecretOfAConfiguredClientIsNotSentToANewIssuer) {
  options.client_id = "configured";
  options.client_secret = "configured-secret";
  const auto credential = signed_in();
  ScriptedIssuer other(test.loop());
  issuer.set("GET /.well-known/oauth-protected-resource", issuer.resource_metadata(other.origin()));
  const auto moved = refused(credential);
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().cause, cause_issuer_changed);
  EXPECT_THAT(moved.error().message, HasSubstr("nothing was sent there"));
  EXPECT_EQ(other.count("POST "), 0U);
  EXPECT_EQ(user.shown.size(), 1U);
  test.run(other.stop());
}

TEST_F(AttackTokens, AClientOfOneIssuerIsNotUsedAtAnother) {
  options.client_id = "configured";
  options.issuer = "https://auth.example";
  begin();
  const auto refusal = refused();
  ASSERT_FALSE(refusal);
  EXPECT_EQ(refusal.error().cause, cause_issuer_changed);
  EXPECT_TRUE(user.shown.empty());
}

TEST_F(AttackTokens, DpopIsNotTakenBackByMetadata) {
  offer_dpop(true);
  issuer.set("POST /token", R"({"access_token":"bound-token","token_type":"DPoP","refresh_token":"r"})");
  const auto credential = signed_in();
  ASSERT_TRUE(credential.dpop);
  offer_dpop(false);
  answer_refreshes(json_response("400 Bad Request", R"({"error":"invalid_grant"})"));
  issuer.set("POST /token", ScriptedIssuer::token("unbound-token"));
  const auto downgraded = refused(credential);
  ASSERT_FALSE(downgraded);
  EXPECT_THAT(downgraded.error().message, HasSubstr("not bound to its key"));
}

TEST_F(AttackTokens, DpopIsNotTakenBackByARefresh) {
  offer_dpop(true);
  issuer.set("POST /token", R"({"access_token":"bound-token","token_type":"DPoP","refresh_token":"r"})");
  const auto credential = signed_in();
  answer_refreshes(json_response("200 OK", ScriptedIssuer::token("unbound-token")));
  EXPECT_FALSE(refused(credential));
  EXPECT_EQ(stored().access_token, "bound-token");
}

TEST_F(AttackTokens, TheDeviceFlowKeepsDpopToo) {
  options.grant = Grant::device;
  options.dpop = Dpop::always;
  issuer.set("GET /.well-known/oauth-authorization-server",
             issuer.server_metadata(R"(,"device_authorization_endpoint":")" + issuer.origin() + R"(/device")"));
  issuer.set("POST /device",
             R"({"device_code":"d","user_code":"u","verification_uri":"https://auth.example/device","interval":-5})");
  begin();
  const auto credential = refused();
  ASSERT_FALSE(credential);
  EXPECT_THAT(credential.error().message, HasSubstr("not bound to its key"));
  EXPECT_THAT(issuer.requests().back(), HasSubstr("DPoP: "));
}

TEST_F(AttackTokens, TheDeviceFlowShowsPagesOfTheWebOnly) {
  options.grant = Grant::device;
  issuer.set("GET /.well-known/oauth-authorization-server",
             issuer.server_metadata(R"(,"device_authorization_endpoint":")" + issuer.origin() + R"(/device")"));
  for (const auto* uri :
       {R"("verification_uri":"javascript:x")", R"("verification_uri":"-psn")",
        R"("verification_uri":"https://a.example","verification_uri_complete":"file:///etc/passwd")"}) {
    issuer.set("POST /device", R"({"device_code":"d","user_code":"u",)" + std::string(uri) + "}");
    begin();
    const auto credential = refused();
    ASSERT_FALSE(credential);
    EXPECT_THAT(credential.error().message, HasSubstr("not an http URL")) << uri;
  }
  EXPECT_TRUE(user.shown.empty());
}

TEST_F(AttackTokens, EndlessRefusalsStopTheSignIns) {
  options.scope = "mcp";
  issuer.set("POST /token", R"({"access_token":"never-good","token_type":"Bearer"})");
  begin();
  Credential used;
  std::string last;
  for (int i = 0; i < 12; ++i) {
    auto credential = refused(used);
    if (credential) used = std::move(*credential);
    if (!credential) last = credential.error().message;
  }
  EXPECT_LE(user.shown.size(), 5U);
  EXPECT_THAT(last, HasSubstr("stopped after too many sign-ins"));
}

TEST_F(AttackTokens, EndlessRefusalsStopTheRefreshes) {
  auto used = signed_in();
  int count = 0;
  issuer.special = [&](const std::string& request) {
    if (!request.contains("grant_type=refresh_token")) return std::string();
    return json_response("200 OK", ScriptedIssuer::token("token-" + std::to_string(++count)));
  };
  std::string last;
  for (int i = 0; i < 40; ++i) {
    auto credential = refused(used);
    if (credential) used = std::move(*credential);
    if (!credential) last = credential.error().message;
  }
  EXPECT_LE(count, 20);
  EXPECT_THAT(last, HasSubstr("stopped after too many tokens"));
  EXPECT_EQ(user.shown.size(), 1U);
}

TEST_F(AttackTokens, AScopeThatWasRefusedIsNotRequestedWithoutEnd) {
  auto used = signed_in();
  const Challenge why{.status = 403, .scope = "admin", .error = "insufficient_scope"};
  std::optional<Error> last;
  for (int i = 0; i < 6; ++i) {
    auto credential = refused(used, why);
    if (credential) used = std::move(*credential);
    if (!credential) last = credential.error();
  }
  ASSERT_TRUE(last);
  EXPECT_EQ(last->cause, cause_insufficient_scope);
  EXPECT_EQ(last->data, R"({"scope":"admin"})");
  EXPECT_LE(user.shown.size(), 3U);
}

TEST_F(AttackTokens, ErrorsOfTheIssuerCannotRepeatSecrets) {
  issuer.special = [](const std::string& request) {
    const auto body = request.substr(request.find("\r\n\r\n") + 4);
    return request.starts_with("POST /token")
               ? json_response(
                     "400 Bad Request",
                     R"({"error":"invalid_request","error_description":"bad form: the-code and )" + body + R"("})")
               : std::string();
  };
  options.client_id = "configured";
  options.client_secret = "configured-secret";
  issuer.set("GET /.well-known/oauth-authorization-server",
             issuer.server_metadata(R"(,"token_endpoint_auth_methods_supported":["client_secret_post"])"));
  begin();
  const auto refusal = refused();
  ASSERT_FALSE(refusal);
  EXPECT_THAT(refusal.error().message, HasSubstr("bad form: [redacted]"));
  EXPECT_THAT(refusal.error().message, Not(HasSubstr("the-code")));
  EXPECT_THAT(refusal.error().message, Not(HasSubstr("configured-secret")));
  const auto& sent = issuer.requests().back();
  const auto verifier = parameter_of("?" + sent.substr(sent.find("\r\n\r\n") + 4), "code_verifier");
  ASSERT_GE(verifier.size(), 43U);
  EXPECT_THAT(refusal.error().message, Not(HasSubstr(verifier)));
}

TEST_F(AttackTokens, SecretsAreReportedAndNeverLogged) {
  offer_dpop(true);
  std::set<std::string> reported;
  options.on_secret = [&](std::string_view secret) { reported.emplace(secret); };
  issuer.set(
      "POST /register",
      R"({"client_id":"c1","client_secret":"issued-client-value","registration_access_token":"issued-rat-value"})",
      "201 Created");
  issuer.set("POST /token",
             R"({"access_token":"issued-access-value","token_type":"DPoP","refresh_token":"issued-refresh",)"
             R"("id_token":"issued-id-value","expires_in":1})");
  signed_in();
  ASSERT_TRUE(test.run(tokens->get(test.loop()))) << "refreshes";
  const auto verifier = [&] {
    for (const auto& sent : issuer.requests()) {
      const auto body = "?" + sent.substr(sent.find("\r\n\r\n") + 4);
      if (const auto found = parameter_of(body, "code_verifier"); !found.empty()) return found;
    }
    return std::string("no token request");
  }();
  for (const auto& secret : {std::string("issued-client-value"), std::string("issued-rat-value"), verifier,
                             std::string("issued-access-value"), std::string("issued-refresh"), std::string("the-code"),
                             std::string("issued-id-value"), stored().dpop_key}) {
    EXPECT_TRUE(reported.contains(secret)) << secret;
    EXPECT_FALSE(test.log().contains(secret)) << secret;
  }
  EXPECT_TRUE(test.log().contains("POST /token")) << "the requests themselves are logged";
}

}  // namespace
}  // namespace fairlead::auth::attack_tokens_test
