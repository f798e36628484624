#include <auth/scripted_issuer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/test_loop.hpp>

namespace fairlead::auth::attack_callback_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// What comes back from the browser, against a client in the middle of a sign-in.
struct AttackCallback : testing::Test {
  ~AttackCallback() override { test.run(issuer.stop()); }

  std::shared_ptr<TokenSource> source() { return oauth({.server = issuer.mcp()}, memory_store(), user.sign_in()); }
  /// The error of a sign-in, after which no code may have been sent.
  std::string failure() {
    const auto tokens = source();
    const auto credential = test.run(tokens->refused(test.loop(), Challenge{.status = 401}, Credential{}));
    EXPECT_FALSE(credential);
    EXPECT_EQ(issuer.count("POST /token"), 0U);
    return credential ? "signed in" : credential.error().message;
  }
  void answer_with(std::string query) {
    user.answer = [this, query](const std::string& state) { return user.redirect_uri + "?state=" + state + query; };
  }

  test::TestLoop test;
  ScriptedIssuer issuer{test.loop()};
  ScriptedUser user;
};

TEST_F(AttackCallback, MixUpWithTheResponseOfAnotherIssuer) {
  answer_with("&code=the-code&iss=https%3A%2F%2Fevil.example");
  EXPECT_THAT(failure(), HasSubstr("it names another issuer; its code was not used"));
}

TEST_F(AttackCallback, MixUpWithAResponseWithoutTheAnnouncedIssuer) {
  issuer.set("GET /.well-known/oauth-authorization-server",
             issuer.server_metadata(R"(,"authorization_response_iss_parameter_supported":true)"));
  answer_with("&code=the-code");
  EXPECT_THAT(failure(), HasSubstr("it names no issuer; its code was not used"));
}

TEST_F(AttackCallback, TheIssuerIsComparedAsBytes) {
  answer_with("&code=the-code&iss=" + issuer.origin() + "%2F");
  EXPECT_THAT(failure(), HasSubstr("it names another issuer"));
}

TEST_F(AttackCallback, TheErrorTextOfAForeignIssuerIsNotShown) {
  answer_with("&error=access_denied&error_description=call+0900+for+help&iss=https%3A%2F%2Fevil.example");
  EXPECT_THAT(failure(), Not(HasSubstr("0900")));
}

TEST_F(AttackCallback, AnErrorWinsOverACode) {
  answer_with("&error=access_denied&code=injected");
  EXPECT_THAT(failure(), HasSubstr("access_denied"));
}

TEST_F(AttackCallback, ACodeThatIsGivenTwice) {
  answer_with("&code=injected&code=the-code");
  EXPECT_THAT(failure(), HasSubstr("a parameter occurs twice: code"));
  answer_with("&code=the-code&%63ode=injected");
  EXPECT_THAT(failure(), HasSubstr("a parameter occurs twice: code"));
}

TEST_F(AttackCallback, ASecondStateAndASecondIssuer) {
  answer_with("&code=the-code&state=x");
  EXPECT_THAT(failure(), HasSubstr("a parameter occurs twice: state"));
  answer_with("&code=the-code&iss=" + issuer.origin() + "&iss=https%3A%2F%2Fevil.example");
  EXPECT_THAT(failure(), HasSubstr("a parameter occurs twice: iss"));
}

TEST_F(AttackCallback, NoStateAndAnEmptyState) {
  for (const auto* query : {"?code=injected", "?code=injected&state=", "?code=injected&State=x", ""}) {
    user.answer = [&](const std::string&) { return user.redirect_uri + query; };
    EXPECT_THAT(failure(), HasSubstr("belongs to another sign-in")) << query;
  }
}

TEST_F(AttackCallback, TheCodeInTheFragmentIsNotUsed) {
  answer_with("#&code=injected");
  EXPECT_THAT(failure(), HasSubstr("contains no code"));
}

TEST_F(AttackCallback, AResponseAtAnotherAddress) {
  for (const auto* at :
       {"http://127.0.0.1:3000/other", "http://127.0.0.1:3001/callback", "http://localhost:3000/callback",
        "https://127.0.0.1:3000/callback", "http://127.0.0.1:3000/callback/", "http://evil.example/"}) {
    user.answer = [&](const std::string& state) { return std::string(at) + "?code=the-code&state=" + state; };
    EXPECT_THAT(failure(), HasSubstr("did not arrive at http://127.0.0.1:3000/callback")) << at;
  }
}

TEST_F(AttackCallback, AReplayedCallbackOfAnEarlierSignIn) {
  std::string first;
  user.answer = [&](const std::string& state) {
    if (first.empty()) first = user.redirect_uri + "?code=the-code&state=" + state;
    return first;
  };
  const auto tokens = source();
  const auto credential = test.run(tokens->refused(test.loop(), Challenge{.status = 401}, Credential{}));
  ASSERT_TRUE(credential) << credential.error().message;
  issuer.set("POST /token", R"({"error":"invalid_grant"})", "400 Bad Request");
  const auto replayed = test.run(tokens->refused(test.loop(), Challenge{.status = 401}, *credential));
  ASSERT_FALSE(replayed);
  EXPECT_THAT(replayed.error().message, HasSubstr("belongs to another sign-in"));
  EXPECT_EQ(user.shown.size(), 2U);
  EXPECT_EQ(issuer.count("POST /token"), 2U) << "the first code and the refresh";
}

TEST_F(AttackCallback, EverySignInHasItsOwnStateAndChallenge) {
  answer_with("&error=access_denied");
  failure();
  failure();
  ASSERT_EQ(user.shown.size(), 2U);
  for (const auto* name : {"state", "code_challenge"}) {
    const auto first = parameter_of(user.shown[0].url, name);
    EXPECT_GE(first.size(), 43U) << name << " has 256 bits";
    EXPECT_NE(first, parameter_of(user.shown[1].url, name)) << name;
  }
}

TEST_F(AttackCallback, ARegistrationReplyCannotChangeTheRedirectUri) {
  issuer.set(
      "POST /register",
      R"({"client_id":"c1","redirect_uris":["https://evil.example/callback"],"redirect_uri":"https://evil.example"})",
      "201 Created");
  answer_with("&error=access_denied");
  failure();
  EXPECT_EQ(parameter_of(user.shown.at(0).url, "redirect_uri"), "http%3A%2F%2F127.0.0.1%3A3000%2Fcallback");
  EXPECT_EQ(user.shown.at(0).redirect_uri, user.redirect_uri);
}

TEST_F(AttackCallback, ARegistrationReplyCannotMoveTheRegistrationElsewhere) {
  issuer.set(
      "POST /register",
      R"({"client_id":"c1","registration_access_token":"rat","registration_client_uri":"https://evil.example/c1"})",
      "201 Created");
  const auto store = memory_store();
  const OAuthOptions options{.server = issuer.mcp()};
  const auto login = test.run(auth::login(test.loop(), options, store, user.sign_in()));
  ASSERT_TRUE(login) << login.error().message;
  EXPECT_EQ(login->client.registration_client_uri, "");
}

TEST_F(AttackCallback, OnlyPagesOfTheWebAreShown) {
  for (const auto* endpoint : {"javascript:x", "file:///etc/passwd", "http://evil.example/authorize",
                               "http://127.0.0.1.evil.example/authorize", "https://a.example/authorize#x", "-v"}) {
    issuer.set("GET /.well-known/oauth-authorization-server",
               issuer.server_metadata(R"(,"authorization_endpoint":")" + std::string(endpoint) + '"',
                                      "authorization_endpoint"));
    EXPECT_THAT(failure(), HasSubstr("must be an https URL")) << endpoint;
  }
  EXPECT_TRUE(user.shown.empty());
}

}  // namespace
}  // namespace fairlead::auth::attack_callback_test
