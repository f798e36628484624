#include <auth/scripted_issuer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/test_loop.hpp>

/// Servers that announce client ID metadata documents and then refuse the one of this client.
namespace fairlead::auth::registration_fallback_test {
namespace {

using testing::HasSubstr;

constexpr std::string_view document = "https://app.example/client.json";
constexpr std::string_view takes_documents = R"(,"client_id_metadata_document_supported":true)";

struct RegistrationFallback : testing::Test {
  RegistrationFallback() {
    options.client_metadata_url = document;
    issuer.set("GET /.well-known/oauth-authorization-server", issuer.server_metadata(takes_documents));
  }
  ~RegistrationFallback() override { test.run(issuer.stop()); }

  Result<Credential> sign_in() {
    tokens = oauth(options, store, user.sign_in());
    return test.run(tokens->refused(test.loop(), {.status = 401}, {}));
  }
  /// Refuses the document at the token endpoint with this error.
  void refuse_document(const std::string& error) {
    issuer.special = [error](const std::string& request) {
      const bool has_document = request.starts_with("POST /token") && request.contains("client.json");
      return has_document ? json_response("401 Unauthorized", R"({"error":")" + error + R"("})") : std::string();
    };
  }
  std::string client_shown(std::size_t at) const { return parameter_of(user.shown.at(at).url, "client_id"); }

  test::TestLoop test;
  ScriptedIssuer issuer{test.loop()};
  ScriptedUser user;
  OAuthOptions options{.server = issuer.mcp()};
  std::shared_ptr<CredentialStore> store = memory_store();
  std::shared_ptr<TokenSource> tokens;
};

TEST_F(RegistrationFallback, IsNotNeededIfTheDocumentIsAccepted) {
  EXPECT_EQ(sign_in().value().token, "first-token");
  EXPECT_THAT(client_shown(0), HasSubstr("client.json"));
  EXPECT_EQ(issuer.count("POST /register"), 0U);
}

TEST_F(RegistrationFallback, RegistersAfterARefusalAtTheTokenEndpoint) {
  refuse_document("invalid_client");
  const auto credential = sign_in();
  ASSERT_TRUE(credential) << credential.error().message;
  EXPECT_EQ(credential->token, "first-token");
  ASSERT_EQ(user.shown.size(), 2U);
  EXPECT_EQ(client_shown(1), "c1");
  EXPECT_EQ(test.run(store->load({.server = options.server})).value()->client.client_id, "c1");
}

TEST_F(RegistrationFallback, RegistersAfterARefusalAtTheAuthorizationEndpoint) {
  user.answer = [this](const std::string& state) {
    const bool has_document = user.shown.back().url.contains("client.json");
    return user.redirect_uri + (has_document ? "?error=invalid_client" : "?code=the-code") + "&state=" + state;
  };
  ASSERT_TRUE(sign_in());
  EXPECT_EQ(client_shown(1), "c1");
}

TEST_F(RegistrationFallback, KeepsTheRegistrationForLaterSignIns) {
  refuse_document("invalid_client");
  ASSERT_TRUE(sign_in());
  issuer.set("POST /token", ScriptedIssuer::token("second-token", ""));
  const auto again = test.run(login(test.loop(), options, store, user.sign_in()));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->access_token, "second-token");
  EXPECT_EQ(user.shown.size(), 3U) << "the refused document was not tried again";
  EXPECT_EQ(issuer.count("POST /register"), 1U);
}

TEST_F(RegistrationFallback, IsForRefusedClientsOnly) {
  for (const std::string error : {"invalid_grant", "access_denied", "invalid_scope"}) {
    refuse_document(error);
    EXPECT_FALSE(sign_in()) << error;
  }
  EXPECT_EQ(user.shown.size(), 3U);
  EXPECT_EQ(issuer.count("POST /register"), 0U);
}

TEST_F(RegistrationFallback, NeedsARegistrationEndpoint) {
  issuer.set("GET /.well-known/oauth-authorization-server",
             issuer.server_metadata(takes_documents, "registration_endpoint"));
  refuse_document("invalid_client");
  const auto failed = sign_in();
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("invalid_client"));
  EXPECT_EQ(user.shown.size(), 1U);
}

}  // namespace
}  // namespace fairlead::auth::registration_fallback_test
