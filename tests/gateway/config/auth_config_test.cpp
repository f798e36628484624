#include <fairlead/auth/oauth.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/config/show_config.hpp"
#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::auth_config_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string server_with(const std::string& oauth) {
  return "servers: {a: {url: 'https://h.example/mcp', auth: {oauth: {" + oauth + "}}}}";
}

TEST(AuthConfig, TakesTheWordOauthForTheDefaults) {
  const auto server = server_of("servers: {a: {url: 'https://h.example/mcp', auth: oauth}}");
  ASSERT_TRUE(server.auth.oauth) << server.name;
  EXPECT_EQ(*server.auth.oauth, OAuthConfig());
}

TEST(AuthConfig, ReadsEveryKey) {
  const auto server = server_of(
      server_with(
          "grant: token_exchange, for: caller, client_id: c, client_secret: '${S}', scopes: a b, resource: none, "
          "audience: x, issuer: 'https://i.example', params: {k: v}, dpop: on"),
      test_options({{"S", "of-the-environment"}}));
  ASSERT_TRUE(server.auth.oauth) << server.name;
  const auto& oauth = *server.auth.oauth;
  EXPECT_EQ(oauth.grant, auth::Grant::token_exchange);
  EXPECT_EQ(oauth.login_owner, LoginOwner::caller);
  EXPECT_EQ(oauth.client_secret, "of-the-environment");
  EXPECT_THAT(oauth.scopes, ElementsAre("a", "b"));
  EXPECT_EQ(oauth.dpop, auth::Dpop::always);
  EXPECT_EQ(oauth.params.at("k"), "v");
}

TEST(AuthConfig, ReportsAllErrorsAndWhatToDo) {
  const auto errors = error_of(
      server_with("grant: client_credentials, for: caller, account: x, issuer: 'http://i.example', assertion_file: f"));
  EXPECT_THAT(errors, HasSubstr("auth.oauth.grant: client_credentials needs client_id"));
  EXPECT_THAT(errors, HasSubstr("auth.oauth.grant: client_credentials needs client_secret or key_file"));
  EXPECT_THAT(errors, HasSubstr("auth.oauth.for: the grant client_credentials has one login for all callers"));
  EXPECT_THAT(errors, HasSubstr("auth.oauth.account: is for one login for all callers"));
  EXPECT_THAT(errors, HasSubstr("auth.oauth.issuer: expected an https URL"));
  EXPECT_THAT(errors, HasSubstr("auth.oauth.assertion_file: is for the grants token_exchange and jwt_bearer"));
}

TEST(AuthConfig, RefusesAnExchangeForAllCallers) {
  EXPECT_THAT(error_of(server_with("grant: on_behalf_of, client_id: c, client_secret: s")),
              HasSubstr("on_behalf_of exchanges the token of the caller; set for: caller"));
}

TEST(AuthConfig, RefusesAnAuthorizationHeaderBesideOauth) {
  EXPECT_THAT(error_of("servers: {a: {url: 'https://h/', auth: oauth, headers: {authorization: Bearer x}}}"),
              HasSubstr("the server has the header Authorization too; keep one of them"));
}

TEST(AuthConfig, IsForServersWithAUrl) {
  EXPECT_THAT(error_of("servers: {a: {command: [x], auth: oauth}}"), HasSubstr("is for servers with a url"));
  EXPECT_THAT(error_of("servers: {a: {url: 'unix:/s', auth: oauth}}"), HasSubstr("is for servers over HTTP"));
}

TEST(AuthConfig, ShowsNoSecrets) {
  const auto loaded = read_text(
      server_with("grant: id_jag, client_id: c, client_secret: plain-hunter, identity_provider: {token_endpoint: "
                  "'https://i.example/token', client_id: g, client_secret: idp-hunter, id_token_file: f}"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto shown = show_config(*loaded);
  EXPECT_THAT(shown, Not(HasSubstr("hunter")));
  EXPECT_THAT(shown, HasSubstr("client_secret: \"[redacted]\""));
  EXPECT_THAT(shown, HasSubstr("client_id: c"));
}

TEST(AuthConfig, CallersThatSignInOnAPageHaveAKeyOrATokenWithoutDpop) {
  const auto error_with = [](const std::string& listen) {
    return error_of("listen: {public_url: 'https://tools.example', oauth: {issuers: ['https://i.example'], " + listen +
                    "}}\n" + server_with("for: caller"));
  };
  EXPECT_THAT(error_with("dpop: {required: true}"), HasSubstr("no key to prove (listen.oauth.dpop.required)"));
  EXPECT_THAT(error_with("dpop: {required: false}"), Not(HasSubstr("no key to prove")));
  EXPECT_THAT(error_of("listen: {public_url: 'https://tools.example', keys_file: keys, oauth: {issuers: "
                       "['https://i.example'], dpop: {required: true}}}\n" +
                       server_with("for: caller")),
              Not(HasSubstr("no key to prove")));
}

TEST(AuthConfig, TheClientOfSignInPagesBelongsToAnIssuer) {
  const auto error_with = [](const std::string& sign_in) {
    return error_of("listen: {public_url: 'https://tools.example', oauth: {issuers: ['https://i.example'], sign_in: {" +
                    sign_in + "}}}\n" + server_with("for: caller"));
  };
  EXPECT_THAT(error_with("issuer: 'https://x.example'"), HasSubstr("is not one of listen.oauth.issuers"));
  EXPECT_THAT(error_with("client_secret: plain-hunter"), HasSubstr("has a client_secret but no client_id"));
  EXPECT_THAT(error_with("client_secret: plain-hunter"), Not(HasSubstr("hunter")));
}

TEST(AuthConfig, VaultNeedsFolderAndKey) {
  EXPECT_THAT(error_of("vault: {folder: v}"), HasSubstr("vault needs both folder and key_file"));
}

TEST(AuthConfig, ReadsTheBlocksOfCursorAndClaudeCode) {
  const auto cursor = server_of(
      R"({"mcpServers":{"a":{"url":"https://h.example/mcp","auth":{"CLIENT_ID":"c","CLIENT_SECRET":"s","scopes":["x"]}}}})");
  ASSERT_TRUE(cursor.auth.oauth) << cursor.name;
  EXPECT_EQ(cursor.auth.oauth->client_id, "c");
  EXPECT_EQ(cursor.auth.oauth->client_secret, "s");
  EXPECT_THAT(cursor.auth.oauth->scopes, ElementsAre("x"));
  const auto claude =
      server_of(R"({"mcpServers":{"a":{"url":"https://h.example/mcp","oauth":{"clientId":"c","callbackPort":3118}}}})");
  ASSERT_TRUE(claude.auth.oauth) << claude.name;
  EXPECT_EQ(claude.auth.oauth->callback_url, "http://localhost:3118/callback");
}

}  // namespace
}  // namespace fairlead::gateway::test::auth_config_test
