#include "auth/oauth/issuer_keys.hpp"

#include <algorithm>
#include <atomic>
#include <auth/token_issuer.hpp>
#include <fairlead/auth/oauth_check.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/scripted_http_server.hpp>
#include <support/test_loop.hpp>

namespace fairlead::auth::issuer_keys_test {
namespace {

using testing::HasSubstr;

std::string json_answer(std::string_view body, std::string_view status = "200 OK", std::string_view more = "") {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: application/json\r\n" + std::string(more) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string jwk_with_kid(const jose::Key& key, std::string_view kid) {
  auto jwk = key.public_jwk();
  jwk.insert(jwk.size() - 1, R"(,"kid":")" + std::string(kid) + R"(")");
  return jwk;
}

/// An issuer with metadata, keys and introspection, and a check that trusts it.
class IssuerKeysTest : public testing::Test {
 protected:
  IssuerKeysTest()
      : server_(test_.loop(), [this](const std::string& request, std::size_t) { return answer(request); }) {
    keys_ = jwk_with_kid(signer_, "k1");
    issuer_ = server_.url("");
  }
  ~IssuerKeysTest() override {
    check_.reset();
    test_.run(server_.stop());
  }

  std::string answer(const std::string& request) {
    if (down_) return json_answer("{}", "503 Service Unavailable");
    if (request.starts_with("GET /.well-known/oauth-authorization-server")) return json_answer("{}", "404 Not Found");
    if (request.starts_with("GET /.well-known/openid-configuration")) {
      return json_answer(R"({"issuer":")" + issuer_ + R"(","token_endpoint":")" + issuer_ + R"(/token","jwks_uri":")" +
                         issuer_ + R"(/jwks","introspection_endpoint":")" + issuer_ + R"(/introspect"})");
    }
    if (request.starts_with("GET /jwks")) return json_answer(R"({"keys":[{"kty":"oct","k":"AA"},)" + keys_ + "]}");
    if (request.starts_with("POST /introspect")) return json_answer(introspected_);
    return json_answer("{}", "404 Not Found");
  }

  OAuthCheckOptions options() {
    OAuthCheckOptions made{.resource = "https://tools.example/mcp", .issuers = {{.issuer = server_.url("")}}};
    made.now = [this] { return TokenIssuer::time(elapsed_); };
    made.log = &log_;
    return made;
  }
  void trust(OAuthCheckOptions chosen) { check_ = OAuthCheck::make(std::move(chosen)).value(); }

  std::string claims() const {
    auto claims = TokenIssuer::claims();
    claims.replace(claims.find("https://auth.example"), 20, server_.url(""));
    return claims;
  }
  std::string token(std::string_view kid = "k1") const { return token(signer_, kid); }
  std::string token(const jose::Key& key, std::string_view kid) const {
    const auto header = R"({"alg":"ES256","typ":"at+jwt","kid":")" + std::string(kid) + R"("})";
    return jose::sign(key, "ES256", header, claims()).value();
  }

  /// The principal, or the status of the refusal.
  std::string ask(const std::string& token) {
    const auto authorization = "Bearer " + token;
    http::Request request;
    request.method = "POST";
    request.path = "/mcp";
    request.headers.push_back({"Authorization", authorization});
    auto response = test_.run(check_->refuse(request));
    if (!response) return request.principal;
    last_ = std::move(*response);
    return std::to_string(last_.status);
  }
  std::size_t requests_to(std::string_view line) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(server_.requests(), [&](const auto& request) { return request.starts_with(line); }));
  }

  test::TestLoop test_;
  CapturingSink log_;
  jose::Key signer_ = jose::Key::generate_es256().value();
  std::string keys_;
  std::string introspected_ = R"({"active":false})";
  std::string issuer_;
  std::atomic<std::int64_t> elapsed_ = 0;
  bool down_ = false;
  test::ScriptedHttpServer server_;
  std::shared_ptr<const OAuthCheck> check_;
  http::Response last_;
};

TEST_F(IssuerKeysTest, FetchesTheKeysOfTheIssuerOnce) {
  trust(options());
  EXPECT_EQ(ask(token()), "ann");
  EXPECT_EQ(ask(token()), "ann");
  EXPECT_EQ(requests_to("GET /jwks"), 1U);
  EXPECT_THAT(server_.requests().front(), HasSubstr("GET /.well-known/oauth-authorization-server"));
}

TEST_F(IssuerKeysTest, AnswersWith503WhileTheIssuerIsOutOfReach) {
  down_ = true;
  trust(options());
  EXPECT_EQ(ask(token()), "503");
  EXPECT_EQ(last_.headers.at(0), (http::Header{"Retry-After", "5"}));
  down_ = false;
  test_.run_until([&] { return requests_to("GET /jwks") > 0; });
  EXPECT_EQ(ask(token()), "ann");
}

TEST_F(IssuerKeysTest, ServesWithTheLastKeysForADay) {
  trust(options());
  EXPECT_EQ(ask(token()), "ann");
  down_ = true;
  elapsed_ = 500;
  EXPECT_EQ(ask(token()), "ann");
  elapsed_ = 24 * 3600 + 1;
  EXPECT_EQ(ask(token()), "503");
}

TEST_F(IssuerKeysTest, FetchesOnceForAnUnknownKeyAndThenRefusesIt) {
  trust(options());
  EXPECT_EQ(ask(token()), "ann");
  const auto next = jose::Key::generate_es256().value();
  EXPECT_EQ(ask(token(next, "k2")), "401");
  EXPECT_EQ(requests_to("GET /jwks"), 1U);  // The last fetch was less than a minute ago.
  elapsed_ = 61;
  keys_ += "," + jwk_with_kid(next, "k2");
  EXPECT_EQ(ask(token(next, "k2")), "ann");
  EXPECT_EQ(ask(token(next, "k3")), "401");
  EXPECT_EQ(ask(token(next, "k4")), "401");
  EXPECT_EQ(requests_to("GET /jwks"), 2U);
}

TEST_F(IssuerKeysTest, OneFetchServesAllThatWait) {
  trust(options());
  EXPECT_EQ(ask(token()), "ann");
  elapsed_ = 61;
  const auto next = jose::Key::generate_es256().value();
  keys_ += "," + jwk_with_kid(next, "k2");
  std::vector<http::Request> requests(3);
  std::vector<std::string> fields;
  for (const auto* kid : {"k2", "k5", "k6"}) fields.push_back("Bearer " + token(next, kid));
  std::vector<test::Pending<std::optional<http::Response>>> pending;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].path = "/mcp";
    requests[i].headers.push_back({"Authorization", fields[i]});
    pending.push_back(test_.start(check_->refuse(requests[i])));
  }
  test_.run_until([&] { return std::ranges::all_of(pending, [](const auto& each) { return each.done(); }); });
  EXPECT_FALSE(pending[0].get());
  EXPECT_EQ(pending[1].get()->status, 401);
  EXPECT_EQ(requests_to("GET /jwks"), 2U);
}

TEST_F(IssuerKeysTest, ForgetsTokensWhenAKeyLeavesTheSet) {
  trust(options());
  const auto old_token = token();
  EXPECT_EQ(ask(old_token), "ann");
  elapsed_ = 61;
  const auto next = jose::Key::generate_es256().value();
  keys_ = jwk_with_kid(next, "k2");
  EXPECT_EQ(ask(token(next, "k2")), "ann");
  elapsed_ = 90;
  EXPECT_EQ(ask(old_token), "401");
}

TEST_F(IssuerKeysTest, DoesNotUseTheMetadataOfAnotherIssuer) {
  issuer_ += "/";  // Another issuer, though it means the same place.
  trust(options());
  EXPECT_EQ(ask(token()), "503");
  EXPECT_EQ(requests_to("GET /jwks"), 0U);
}

TEST_F(IssuerKeysTest, AsksTheIssuerAboutAnOpaqueTokenOnce) {
  auto chosen = options();
  chosen.issuers[0].introspection = {.client_id = "tools", .client_secret = "s3cret-of-tools"};
  trust(std::move(chosen));
  introspected_ = claims();
  introspected_.insert(1, R"("active":true,)");
  EXPECT_EQ(ask("opaque-token"), "ann");
  EXPECT_EQ(ask("opaque-token"), "ann");
  EXPECT_EQ(requests_to("POST /introspect"), 1U);
  const auto& request =
      *std::ranges::find_if(server_.requests(), [](const auto& each) { return each.starts_with("POST /introspect"); });
  EXPECT_THAT(request, HasSubstr("token=opaque-token&token_type_hint=access_token"));
  EXPECT_THAT(request, HasSubstr("Authorization: Basic "));
  elapsed_ = 61;
  introspected_ = R"({"active":false})";
  EXPECT_EQ(ask("opaque-token"), "401");
  EXPECT_EQ(ask("opaque-token"), "401");
  EXPECT_EQ(requests_to("POST /introspect"), 2U);
}

TEST_F(IssuerKeysTest, RefusesAnOpaqueTokenForAnotherAudience) {
  auto chosen = options();
  chosen.issuers[0].introspection = {.client_id = "tools", .client_secret = "s"};
  trust(std::move(chosen));
  introspected_ = R"({"active":true,"sub":"ann","aud":"https://other.example"})";
  EXPECT_EQ(ask("opaque-token"), "401");
  introspected_ = R"({"active":true,"sub":"ann","iss":"https://other.example","aud":"https://tools.example/mcp"})";
  EXPECT_EQ(ask("opaque-token-2"), "401");
  introspected_ = R"({"active":true,"sub":"ann","aud":"https://tools.example/mcp"})";
  EXPECT_EQ(ask("opaque-token-3"), "ann");
}

TEST_F(IssuerKeysTest, AnswersWith503IfAnOpaqueTokenCannotBeChecked) {
  auto chosen = options();
  chosen.issuers[0].introspection = {.client_id = "tools", .client_secret = "s3cret-of-tools"};
  trust(std::move(chosen));
  down_ = true;
  EXPECT_EQ(ask("opaque-token"), "503");
  for (const auto& line : log_.lines()) EXPECT_THAT(line.message, testing::Not(HasSubstr("opaque-token")));
}

TEST(IssuerKeys, StayFreshAsLongAsTheIssuerSaysWithinLimits) {
  using std::chrono::seconds;
  EXPECT_EQ(freshness(""), seconds(3600));
  EXPECT_EQ(freshness("public, Max-Age=1200"), seconds(1200));
  EXPECT_EQ(freshness("max-age=1"), seconds(300));
  EXPECT_EQ(freshness("max-age=99999999999999999999"), seconds(86400));
  EXPECT_EQ(freshness("no-store"), seconds(3600));
}

}  // namespace
}  // namespace fairlead::auth::issuer_keys_test
