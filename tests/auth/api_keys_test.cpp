#include <fairlead/auth/api_keys.hpp>

#include <gtest/gtest.h>

namespace fairlead::auth::api_keys_test {
namespace {

std::optional<http::Response> refusal_of(const ApiKeyCheck& check, http::Request& request) {
  return check.refuse(request).take();
}

ApiKeyCheck ring() {
  return ApiKeyCheck::make({{"ann", sha256_hex("secret-a")}, {"bob", sha256_hex("secret-b")}}).value();
}

http::Request with(std::vector<http::HeaderView> headers, std::string_view path = "/mcp") {
  http::Request request;
  request.method = "POST";
  request.path = path;
  request.headers = std::move(headers);
  return request;
}

TEST(ApiKeyCheck, S2_11_AcceptsBearerToken) {
  auto request = with({{"authorization", "bearer secret-b"}});
  EXPECT_FALSE(refusal_of(ring(), request));
  EXPECT_EQ(request.principal, "bob");
}

TEST(ApiKeyCheck, AcceptsXApiKeyHeader) {
  auto request = with({{"X-API-Key", "secret-a"}});
  EXPECT_FALSE(refusal_of(ring(), request));
  EXPECT_EQ(request.principal, "ann");
}

TEST(ApiKeyCheck, S2_11_MissingKeyIs401WithChallenge) {
  auto request = with({});
  const auto refusal = refusal_of(ring(), request);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 401);
  EXPECT_EQ(refusal->headers.at(0), (http::Header{"WWW-Authenticate", "Bearer realm=\"fairlead\""}));
}

TEST(ApiKeyCheck, RejectsWrongKeyAndSetsNoPrincipal) {
  for (const auto* token : {"Bearer wrong", "Bearer ", "Bearer", "Basic secret-a", "secret-a", "Bearersecret-a"}) {
    auto request = with({{"Authorization", token}});
    request.principal = "ann";
    EXPECT_EQ(refusal_of(ring(), request)->status, 401) << token;
    EXPECT_EQ(request.principal, "") << token;
  }
}

TEST(ApiKeyCheck, RejectsTwoKeys) {
  auto both = with({{"Authorization", "Bearer secret-a"}, {"X-API-Key", "secret-a"}});
  EXPECT_TRUE(refusal_of(ring(), both));
  auto twice = with({{"X-API-Key", "wrong"}, {"X-API-Key", "secret-a"}});
  EXPECT_TRUE(refusal_of(ring(), twice));
}

TEST(ApiKeyCheck, RejectsAllWithoutKeys) {
  const auto empty = ApiKeyCheck::make({}).value();
  auto request = with({{"Authorization", "Bearer x"}});
  EXPECT_TRUE(refusal_of(empty, request));
}

TEST(ApiKeyCheck, RejectsTheHashAsKey) {
  const auto hash = sha256_hex("secret-a");
  EXPECT_FALSE(ring().principal_of(hash));
  EXPECT_EQ(hash.size(), 64u);
}

TEST(ApiKeyCheck, HealthPathsNeedNoKey) {
  auto request = with({{"Authorization", "Bearer secret-a"}}, "/healthz");
  EXPECT_FALSE(refusal_of(ring(), request));
  EXPECT_EQ(request.principal, "");
}

TEST(ApiKeyCheck, MakeRejectsMalformedHash) {
  EXPECT_FALSE(ApiKeyCheck::make({{"ann", "secret-a"}}));
  EXPECT_FALSE(ApiKeyCheck::make({{"ann", std::string(64, 'g')}}));
  EXPECT_FALSE(ApiKeyCheck::make({{"", sha256_hex("x")}}));
}

}  // namespace
}  // namespace fairlead::auth::api_keys_test
