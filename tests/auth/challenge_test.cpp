#include <fairlead/auth/credential.hpp>
#include <gtest/gtest.h>

namespace fairlead::auth::challenge_test {
namespace {

Challenge read(std::vector<std::string> values) {
  http::ClientResponse response{.status = 401};
  for (auto& value : values) response.headers.push_back({"www-authenticate", std::move(value)});
  return read_challenge(response);
}

TEST(Challenge, ReadsTheParametersOfABearerChallenge) {
  const auto found =
      read({R"(Bearer realm="x", resource_metadata="https://a.example/m", scope="a b", error=invalid_token)"});
  EXPECT_TRUE(found.bearer);
  EXPECT_FALSE(found.dpop);
  EXPECT_EQ(found.resource_metadata, "https://a.example/m");
  EXPECT_EQ(found.scope, "a b");
  EXPECT_EQ(found.error, "invalid_token");
}

TEST(Challenge, ReadsSeveralChallengesOfOneHeader) {
  const auto found =
      read({R"(Basic realm="a, Bearer scope=\"no\"", bearer SCOPE = "yes", Digest nonce="n", scope="other")"});
  EXPECT_TRUE(found.bearer);
  EXPECT_EQ(found.scope, "yes");
}

TEST(Challenge, ReadsAllHeaders) {
  const auto found = read({"Negotiate", R"(DPoP algs="ES256", error="use_dpop_nonce")", R"(Bearer scope="s")"});
  EXPECT_TRUE(found.bearer && found.dpop);
  EXPECT_EQ(found.error, "use_dpop_nonce");
  EXPECT_EQ(found.scope, "s");
}

TEST(Challenge, SkipsCredentialsInPlaceOfParameters) {
  const auto found = read({R"(Negotiate YWJj/w==, Bearer scope="s")"});
  EXPECT_TRUE(found.bearer);
  EXPECT_EQ(found.scope, "s");
}

TEST(Challenge, UnescapesQuotedStrings) {
  EXPECT_EQ(read({R"(Bearer error_description="a \"b\", c")"}).error_description, R"(a "b", c)");
}

TEST(Challenge, EndsAtTruncatedText) {
  for (const auto text :
       {"Bearer scope=\"a", "Bearer scope=", "Bearer scope", "Bearer =", ",,", "\"", "Bearer a=\"\\"}) {
    EXPECT_EQ(read({text}).resource_metadata, "") << text;
  }
}

}  // namespace
}  // namespace fairlead::auth::challenge_test
