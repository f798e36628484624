#include <auth/token_issuer.hpp>
#include <fairlead/auth/oauth_check.hpp>
#include <fairlead/http/listener.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <http/http_server.hpp>

namespace fairlead::auth::oauth_listener_test {
namespace {

using testing::HasSubstr;

http::ListenOptions protected_by(const TokenIssuer& issuer) {
  OAuthCheckOptions oauth{.resource = "https://tools.example/mcp",
                          .issuers = {{.issuer = "https://auth.example", .jwks_file = issuer.file()}}};
  oauth.now = [] { return TokenIssuer::time(); };
  http::ListenOptions options;
  options.access_checks = {OAuthCheck::make(std::move(oauth)).value()};
  return options;
}

TEST(OAuthListener, ServesAPrincipalOnlyWithItsToken) {
  const TokenIssuer issuer;
  test::HttpServer server(protected_by(issuer));
  auto client = server.connect();
  client.send_request("GET", "/who", "Authorization: Bearer " + issuer.token() + "\r\n");
  EXPECT_EQ(client.answer().body, "ann");
  EXPECT_EQ(server.send_request("GET", "/who").status, 401);
  EXPECT_EQ(server.send_request("GET", "/who?access_token=" + issuer.token()).status, 401);
}

TEST(OAuthListener, ServesMetadataToAForeignPageAndNothingElse) {
  const TokenIssuer issuer;
  test::HttpServer server(protected_by(issuer));
  const std::string origin = "Origin: https://page.example\r\n";
  const auto metadata = server.send_request("GET", "/.well-known/oauth-protected-resource/mcp", origin);
  EXPECT_EQ(metadata.status, 200);
  EXPECT_THAT(metadata.body, HasSubstr(R"("resource":"https://tools.example/mcp")"));
  EXPECT_EQ(server.send_request("GET", "/.well-known/other", origin).status, 403);
  EXPECT_EQ(server.send_request("GET", "/who", origin + "Authorization: Bearer " + issuer.token() + "\r\n").status,
            403);
}

}  // namespace
}  // namespace fairlead::auth::oauth_listener_test
