#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/scripted_http_server.hpp>
#include <support/test_loop.hpp>

#include "transport/http_client/authorized_request.hpp"

namespace fairlead::transport::attack_token_origin_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view unauthorized =
    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\"\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view forbidden =
    "HTTP/1.1 403 Forbidden\r\nWWW-Authenticate: Bearer error=\"insufficient_scope\", "
    "scope=\"more\"\r\nContent-Length: "
    "0\r\n\r\n";

/// A new token after each refusal.
struct NewTokens final : auth::TokenSource {
  Task<Result<auth::Credential>> get(const EventLoop&) override { return credential(); }
  Task<Result<auth::Credential>> refused(EventLoop, auth::Challenge why, auth::Credential) override {
    challenges.push_back(std::move(why));
    return credential();
  }
  Result<auth::Credential> credential() const {
    return auth::Credential{.scheme = "Bearer", .token = "secret-" + std::to_string(challenges.size())};
  }
  std::vector<auth::Challenge> challenges;
};

struct AttackTokenOrigin : testing::Test {
  ~AttackTokenOrigin() override {
    test.run(server.stop());
    test.run(other.stop());
  }
  Result<std::unique_ptr<http::ResponseStream>> post() {
    options.url = server.url("/mcp");
    options.tokens = tokens;
    const auto loop = test.loop();
    http::ClientRequest request{.method = "POST", .url = options.url, .headers = {{"DPoP", "the-proof"}}, .body = "{}"};
    return test.run(open_authorized(loop, client, options, std::move(request)));
  }

  test::TestLoop test;
  std::string answer;
  test::ScriptedHttpServer server{test.loop(), [this](const std::string&, std::size_t) { return answer; }};
  test::ScriptedHttpServer other{test.loop(), [](const std::string&, std::size_t) {
                                   return std::string("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                                 }};
  http::Client client{test.loop()};
  HttpClientOptions options;
  std::shared_ptr<NewTokens> tokens = std::make_shared<NewTokens>();
};

TEST_F(AttackTokenOrigin, ARedirectTakesNoTokenToAnotherOrigin) {
  answer = "HTTP/1.1 307 Temporary Redirect\r\nLocation: " + other.url("/mcp") + "\r\nContent-Length: 0\r\n\r\n";
  const auto response = post();
  ASSERT_TRUE(response) << response.error().message;
  ASSERT_EQ(other.requests().size(), 1U);
  EXPECT_THAT(server.requests().at(0), HasSubstr("secret-0"));
  EXPECT_THAT(other.requests().at(0), Not(HasSubstr("secret-0")));
  EXPECT_THAT(other.requests().at(0), Not(HasSubstr("the-proof")));
}

TEST_F(AttackTokenOrigin, ARequestIsRepeatedOnceWithANewToken) {
  answer = unauthorized;
  const auto response = post();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().cause, auth::cause_token_refused);
  EXPECT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(tokens->challenges.size(), 1U);
  EXPECT_TRUE(tokens->challenges.at(0).from_private_address);
}

TEST_F(AttackTokenOrigin, ARequestIsRepeatedOnceWithMoreScopes) {
  answer = forbidden;
  EXPECT_FALSE(post());
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(AttackTokenOrigin, ErrorsOfTheTransportNameNoToken) {
  answer = unauthorized;
  const auto response = post();
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, Not(HasSubstr("secret")));
  EXPECT_FALSE(test.log().contains("secret-"));
}

}  // namespace
}  // namespace fairlead::transport::attack_token_origin_test
