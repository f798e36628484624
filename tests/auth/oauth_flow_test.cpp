#include <algorithm>
#include <fairlead/auth/oauth.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/scripted_http_server.hpp>
#include <support/test_loop.hpp>

namespace fairlead::auth::oauth_flow_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string response(std::string_view status, std::string_view body) {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

/// The value of a query parameter that needs no decoding.
std::string parameter(const std::string& url, const std::string& name) {
  const auto begin = url.find(name + "=") + name.size() + 1;
  return url.substr(begin, url.find('&', begin) - begin);
}

/// A protected server that is its own authorization server, and a user who signs in.
class OAuthFlow : public testing::Test {
 protected:
  OAuthFlow() : server_(test_.loop(), [this](const std::string& request, std::size_t) { return answer(request); }) {
    options_.server = server_.url("/mcp");
  }
  ~OAuthFlow() override { test_.run(server_.stop()); }

  std::string answer(const std::string& request) {
    const auto starts = [&](std::string_view line) { return request.starts_with(line); };
    const std::string origin = server_.url("");
    if (starts("GET /.well-known/oauth-protected-resource")) {
      if (redirects_metadata_) return "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n";
      return response("200 OK",
                      R"({"resource":")" + origin + R"(/mcp","authorization_servers":[")" + origin + R"("]})");
    }
    if (starts("GET /.well-known/oauth-authorization-server")) {
      return response("200 OK", R"({"issuer":")" + origin + R"(","authorization_endpoint":")" + origin +
                                    R"(/authorize","token_endpoint":")" + origin +
                                    R"(/token","registration_endpoint":")" + origin +
                                    R"(/register","code_challenge_methods_supported":["S256"]})");
    }
    if (starts("POST /register")) return response("201 Created", R"({"client_id":"c1"})");
    if (starts("POST /token")) return response(token_status_, token_);
    return response("404 Not Found", "{}");
  }

  std::shared_ptr<TokenSource> source() {
    auto show = [this](EventLoop, SignInRequest request) -> Task<Result<std::string>> {
      ++sign_ins_;
      const auto state = state_.empty() ? parameter(request.url, "state") : state_;
      return Result<std::string>(callback_ + "?code=the-code&state=" + state);
    };
    return oauth(options_, memory_store(), sign_in_with("http://127.0.0.1:3000/callback", show));
  }

  Result<Credential> refused(TokenSource& source, Credential used = {}, Challenge why = {.status = 401}) {
    return test_.run(source.refused(test_.loop(), std::move(why), std::move(used)));
  }

  std::size_t requests_to(std::string_view line) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(server_.requests(), [&](const auto& request) { return request.starts_with(line); }));
  }

  test::TestLoop test_;
  OAuthOptions options_;
  test::ScriptedHttpServer server_;
  bool redirects_metadata_ = false;
  std::string token_status_ = "200 OK";
  std::string token_ = R"({"access_token":"t1","token_type":"Bearer","refresh_token":"r1","expires_in":3600})";
  std::string state_;  // Empty for the right one.
  std::string callback_ = "http://127.0.0.1:3000/callback";
  int sign_ins_ = 0;
};

TEST_F(OAuthFlow, SignsInWithPkceAndTheResource) {
  const auto tokens = source();
  const auto credential = refused(*tokens);
  ASSERT_TRUE(credential) << credential.error().message;
  EXPECT_EQ(credential->scheme, "Bearer");
  EXPECT_EQ(credential->token, "t1");
  EXPECT_THAT(server_.requests().back(), HasSubstr("code=the-code"));
  EXPECT_THAT(server_.requests().back(), HasSubstr("code_verifier="));
  EXPECT_THAT(server_.requests().back(), HasSubstr("resource=http%3A%2F%2F127.0.0.1"));
}

TEST_F(OAuthFlow, AttackRefusesTheStateOfAnotherSignIn) {
  state_ = "guessed";
  const auto credential = refused(*source());
  ASSERT_FALSE(credential);
  EXPECT_THAT(credential.error().message, HasSubstr("another sign-in"));
  EXPECT_EQ(requests_to("POST /token"), 0U);
}

TEST_F(OAuthFlow, AttackRefusesACallbackAtAnotherAddress) {
  callback_ = "http://127.0.0.1:3000/other";
  const auto credential = refused(*source());
  ASSERT_FALSE(credential);
  EXPECT_THAT(credential.error().message, HasSubstr("did not arrive at http://127.0.0.1:3000/callback"));
  EXPECT_EQ(requests_to("POST /token"), 0U);
}

TEST_F(OAuthFlow, AttackRefusesAnUnboundTokenForADpopProof) {
  options_.dpop = Dpop::always;
  const auto credential = refused(*source());
  ASSERT_FALSE(credential);
  EXPECT_THAT(credential.error().message, HasSubstr("not bound to its key"));
  EXPECT_THAT(server_.requests().back(), HasSubstr("DPoP: "));
}

TEST_F(OAuthFlow, AttackDoesNotFetchMetadataOnLoopbackForARemoteServer) {
  options_.server = "https://tools.example/mcp";
  const auto credential = refused(
      *source(), {}, {.status = 401, .resource_metadata = server_.url("/.well-known/oauth-protected-resource")});
  ASSERT_FALSE(credential);
  EXPECT_THAT(credential.error().message, HasSubstr("must be an https URL or on the server itself"));
  EXPECT_TRUE(server_.requests().empty());
}

TEST_F(OAuthFlow, AttackDoesNotFollowRedirectsOfMetadata) {
  redirects_metadata_ = true;
  const auto credential = refused(*source());
  ASSERT_FALSE(credential);
  EXPECT_THAT(credential.error().message, HasSubstr("answered 302"));
  EXPECT_EQ(requests_to("GET /elsewhere"), 0U);
}

TEST_F(OAuthFlow, RefreshesATokenThatExpiresSoon) {
  token_ = R"({"access_token":"t1","token_type":"Bearer","refresh_token":"r1","expires_in":30})";
  const auto tokens = source();
  ASSERT_TRUE(refused(*tokens));
  token_ = R"({"access_token":"t2","token_type":"Bearer","refresh_token":"r2","expires_in":3600})";
  const auto first = test_.start(tokens->get(test_.loop()));
  const auto second = test_.start(tokens->get(test_.loop()));
  EXPECT_EQ(test_.finish(first).value().token, "t2");
  EXPECT_EQ(test_.finish(second).value().token, "t2");
  EXPECT_EQ(requests_to("POST /token"), 2U) << "one for the code, one for both callers";
  EXPECT_THAT(server_.requests().back(), HasSubstr("refresh_token=r1"));
  EXPECT_EQ(sign_ins_, 1);
}

TEST_F(OAuthFlow, KeepsTheLoginWhileTheIssuerFails) {
  const auto tokens = source();
  const auto credential = refused(*tokens);
  ASSERT_TRUE(credential);
  token_status_ = "503 Service Unavailable";
  const auto failed = refused(*tokens, *credential);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("503"));
  EXPECT_EQ(sign_ins_, 1);
  token_status_ = "200 OK";
  token_ = R"({"access_token":"t2","token_type":"Bearer"})";
  EXPECT_EQ(refused(*tokens, *credential).value().token, "t2");
  EXPECT_EQ(sign_ins_, 1);
}

TEST_F(OAuthFlow, SignsInAgainAfterTheRefreshTokenWasRevoked) {
  const auto tokens = source();
  const auto credential = refused(*tokens);
  ASSERT_TRUE(credential);
  token_status_ = "400 Bad Request";
  token_ = R"({"error":"invalid_grant"})";
  EXPECT_FALSE(refused(*tokens, *credential));
  EXPECT_EQ(sign_ins_, 2);
  EXPECT_THAT(server_.requests().back(), Not(HasSubstr("r1")));
}

}  // namespace
}  // namespace fairlead::auth::oauth_flow_test
