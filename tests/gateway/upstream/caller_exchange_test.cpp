#include <auth/token_issuer.hpp>
#include <fairlead/auth/api_keys.hpp>
#include <fairlead/auth/oauth_check.hpp>

#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/protected_http_server.hpp"

/// Servers that get a token in exchange for the token of the caller.
namespace fairlead::gateway::test::caller_exchange_test {
namespace {

using auth::TokenIssuer;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string resource = "https://tools.example/mcp";
const std::string stateless = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";
const std::string call_echo =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

OAuthConfig exchange(auth::Grant grant) {
  OAuthConfig oauth{.grant = grant, .login_owner = LoginOwner::caller};
  oauth.client_id = "gateway";
  oauth.client_secret = "very-secret-client";
  return oauth;
}

/// Callers whose tokens are made by the authorization server of the server behind the gateway.
struct CallerExchange : testing::Test {
  ProtectedHttpServer behind;
  std::string origin = behind.server.url("");
  TokenIssuer keys;

  std::string token_of(const std::string& name, const std::string& issuer, int serial = 1) const {
    return keys.token(R"({"iss":")" + issuer + R"(","sub":")" + name + R"(","aud":")" + resource + R"(","exp":)" +
                      std::to_string(TokenIssuer::now + 600) + R"(,"jti":")" + std::to_string(serial) + R"("})");
  }
  std::string token_of(const std::string& name, int serial = 1) const { return token_of(name, origin, serial); }

  http::ListenOptions listen(const std::vector<std::string>& more_issuers = {}) const {
    auth::OAuthCheckOptions oauth{.resource = resource, .issuers = {{.issuer = origin, .jwks_file = keys.file()}}};
    for (const auto& issuer : more_issuers) oauth.issuers.push_back({.issuer = issuer, .jwks_file = keys.file()});
    oauth.now = [] { return TokenIssuer::time(); };
    auto check = auth::ApiKeyCheck::make({{"machine", auth::sha256_hex("key-of-machine-000000")}});
    oauth.keys = std::make_shared<const auth::ApiKeyCheck>(std::move(*check));
    http::ListenOptions options;
    options.access_checks = {auth::OAuthCheck::make(std::move(oauth)).value()};
    options.authenticated = true;
    return options;
  }
  GatewayConfig config(OAuthConfig oauth) const {
    auto server = remote("server", behind.url());
    server.auth.oauth = std::move(oauth);
    return config_of({std::move(server)});
  }
  static RawAnswer call(const GatewayRig& rig, const std::string& token) {
    return rig.post("/mcp", call_echo, stateless + "Authorization: Bearer " + token + "\r\n");
  }
  /// Token requests of callers: the gateway asks for its own token too, for lists.
  static std::vector<std::string> requests_with(const TestIssuer& issuer, const std::string& part) {
    auto requests = issuer.token_requests();
    std::erase_if(requests, [&](const std::string& body) { return !body.contains(part); });
    return requests;
  }
};

TEST_F(CallerExchange, SendsTheTokenOfEachCallerToTheTokenEndpoint) {
  auto oauth = exchange(auth::Grant::token_exchange);
  oauth.audience = "tickets";
  GatewayRig rig(config(oauth), listen());
  const auto ann = token_of("ann");
  const auto bob = token_of("bob");
  for (const auto& token : {ann, bob, ann}) {
    const auto answer = call(rig, token);
    EXPECT_THAT(answer.body, HasSubstr("hi")) << answer.head;
  }
  const auto requests = requests_with(*behind.issuer, "token-exchange");
  ASSERT_THAT(requests, SizeIs(2)) << "the exchanged token of ann is used again";
  EXPECT_THAT(requests[0],
              AllOf(HasSubstr("subject_token=" + ann + "&"), HasSubstr("audience=tickets"),
                    HasSubstr("subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token")));
  EXPECT_THAT(requests[1], HasSubstr("subject_token=" + bob + "&"));
  EXPECT_THAT(behind.issuer->seen(), Each(Not(HasSubstr("eyJ")))) << "the server never sees a token of the gateway";
  EXPECT_FALSE(rig.log().contains("eyJ"));
  EXPECT_FALSE(rig.log().contains("secret-token"));
}

TEST_F(CallerExchange, UsesTheTokenThatTheCallerSentLast) {
  behind.issuer->set_lifetime(10);  // Less than the margin: exchanged for each call.
  GatewayRig rig(config(exchange(auth::Grant::token_exchange)), listen());
  const auto newest = token_of("ann", 2);
  EXPECT_THAT(call(rig, token_of("ann", 1)).body, HasSubstr("hi"));
  EXPECT_THAT(call(rig, newest).body, HasSubstr("hi"));
  EXPECT_THAT(requests_with(*behind.issuer, "token-exchange").back(), HasSubstr(newest));
}

TEST_F(CallerExchange, OnBehalfOfSendsAnAssertion) {
  GatewayRig rig(config(exchange(auth::Grant::on_behalf_of)), listen());
  const auto ann = token_of("ann");
  EXPECT_THAT(call(rig, ann).body, HasSubstr("hi"));
  const auto requests = requests_with(*behind.issuer, "on_behalf_of");
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_THAT(requests[0], AllOf(HasSubstr("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"),
                                 HasSubstr("assertion=" + ann + "&"), HasSubstr("requested_token_use=on_behalf_of")));
  EXPECT_THAT(behind.issuer->seen(), Each(Not(HasSubstr("eyJ"))));
}

TEST_F(CallerExchange, AnIdJagIsMadeByTheIdentityProvider) {
  const ProtectedHttpServer provider;
  auto oauth = exchange(auth::Grant::id_jag);
  oauth.identity_provider = {.token_endpoint = provider.server.url("/token"), .client_id = "at-provider"};
  GatewayRig rig(config(oauth), listen());
  const auto ann = token_of("ann");
  EXPECT_THAT(call(rig, ann).body, HasSubstr("hi"));
  const auto first = provider.issuer->token_requests();
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_THAT(first[0], AllOf(HasSubstr("subject_token=" + ann + "&"), HasSubstr("id-jag"),
                              HasSubstr("subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"),
                              HasSubstr("client_id=at-provider")));
  const auto second = requests_with(*behind.issuer, "jwt-bearer");
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_THAT(second[0], AllOf(HasSubstr("assertion=secret-token-of-machine-1"), Not(HasSubstr("eyJ"))))
      << "the token of the caller goes to the identity provider only";
  EXPECT_THAT(behind.issuer->seen(), Each(Not(HasSubstr("eyJ"))));
}

TEST_F(CallerExchange, AttackTheTokenIsNotSentToAnotherIssuer) {
  const std::string other = "https://other.example";
  GatewayRig rig(config(exchange(auth::Grant::token_exchange)), listen({other}));
  const auto answer = call(rig, token_of("ann", other));
  EXPECT_THAT(answer.body, Not(HasSubstr("\"hi\"")));
  EXPECT_THAT(answer.body, HasSubstr("cannot sign in to the server 'server'"));
  EXPECT_THAT(requests_with(*behind.issuer, "token-exchange"), IsEmpty());
}

TEST_F(CallerExchange, ACallerWithAKeyHasNothingToExchange) {
  GatewayRig rig(config(exchange(auth::Grant::token_exchange)), listen());
  const auto answer = rig.post("/mcp", call_echo, stateless + "X-API-Key: key-of-machine-000000\r\n");
  EXPECT_THAT(answer.body, HasSubstr("you authenticated to the gateway without one"));
  EXPECT_THAT(requests_with(*behind.issuer, "token-exchange"), IsEmpty());
}

}  // namespace
}  // namespace fairlead::gateway::test::caller_exchange_test
