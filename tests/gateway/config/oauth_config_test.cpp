#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/config/oauth_codec.hpp"
#include "gateway/config/show_config.hpp"
#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::oauth_config_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr auto whole = R"(
listen:
  public_url: https://tools.example/
  oauth:
    issuers:
      - https://auth.example
      - issuer: https://other.example
        typ: any
        audience: api://tools
        introspection: {client_id: tools, client_secret: hunter2-of-tools}
    scopes:
      all: mcp
      tools: {"git_*": [git:read], git_push: [git:write]}
      implies: {"git:write": [git:read]}
    dpop: {nonces: true, nonce_secret: hunter2-of-nonces}
)";

TEST(OAuthConfig, IsReadWithAllItsKeys) {
  const auto loaded = read_text(whole);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto& listen = loaded->config.listen;
  EXPECT_EQ(listen.public_url, "https://tools.example");
  ASSERT_EQ(listen.oauth.issuers.size(), 2U);
  EXPECT_EQ(listen.oauth.issuers[0], auth::TrustedIssuer{.issuer = "https://auth.example"});
  const auto& other = listen.oauth.issuers[1];
  EXPECT_TRUE(other.any_typ);
  EXPECT_EQ(other.audiences, std::vector<std::string>{"api://tools"});
  EXPECT_EQ(other.introspection->client_secret, "hunter2-of-tools");
  EXPECT_EQ(listen.oauth.scopes.all, auth::Scopes{"mcp"});
  ASSERT_EQ(listen.oauth.scopes.tools.size(), 2U);
  EXPECT_EQ(listen.oauth.scopes.tools[1].second, auth::Scopes{"git:write"});
  EXPECT_TRUE(listen.oauth.dpop.nonces);
}

TEST(OAuthConfig, IsShownWithoutSecrets) {
  const auto loaded = read_text(whole);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto text = show_config(*loaded);
  EXPECT_THAT(text, Not(HasSubstr("hunter2")));
  EXPECT_THAT(text, HasSubstr("issuer: \"https://auth.example\""));
  EXPECT_THAT(text, HasSubstr("client_id: tools"));
}

TEST(OAuthConfig, RefusesWhatCannotWork) {
  const auto oauth = [](const std::string& inside, const std::string& rest = "") {
    return error_of("listen: {public_url: \"https://tools.example\", oauth: " + inside + "}\n" + rest);
  };
  EXPECT_THAT(error_of("listen: {oauth: {issuers: [\"https://auth.example\"]}}"), HasSubstr("needs listen.public_url"));
  EXPECT_THAT(oauth("{name: tools}"), HasSubstr("needs issuers"));
  EXPECT_THAT(oauth("{issuers: [\"http://auth.example\"]}"), HasSubstr("use https, or set jwks_file"));
  EXPECT_THAT(oauth("{issuers: [\"https://a.example\"], scopes: {all: [\"two words\"]}}"), HasSubstr("is not a scope"));
  EXPECT_THAT(oauth("{issuers: [\"https://a.example\"], skew: 6m}"), HasSubstr("expected 0 to 5m"));
  EXPECT_THAT(oauth("{issuers: [{issuer: \"https://a.example\", typ: jwt}]}"),
              HasSubstr("expected one of any, at+jwt"));
  EXPECT_THAT(error_of("listen: {public_url: \"https://tools.example/mcp\"}"), HasSubstr("without a path"));
}

TEST(OAuthConfig, AttackRefusesToForwardTheCheckedToken) {
  const std::string listen =
      "listen: {public_url: \"https://tools.example\", oauth: {issuers: [\"https://auth.example\"]}}\n";
  for (const auto* step : {"headers(forward=authorization)", "headers(forward=Authorization:X-Token)"}) {
    EXPECT_THAT(error_of(listen + "chain: [\"" + step + "\"]\n"), HasSubstr("must not forward the token")) << step;
    EXPECT_THAT(error_of(listen + "servers: {a: {url: \"http://127.0.0.1:9/mcp\", chain: [\"" + step + "\"]}}\n"),
                HasSubstr("must not forward the token"))
        << step;
  }
  EXPECT_TRUE(read_text("chain: [\"headers(forward=authorization)\"]\n"));
}

}  // namespace
}  // namespace fairlead::gateway::test::oauth_config_test
