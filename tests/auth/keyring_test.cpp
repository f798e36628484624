#include <fairlead/auth/keyring.hpp>

#include <gtest/gtest.h>

namespace fairlead::auth::keyring_test {
namespace {

Keyring ring() {
  return Keyring::make({{"ann", hash_of("secret-a")}, {"bob", hash_of("secret-b")}}).value();
}

http::Request with(std::vector<http::HeaderView> headers, std::string_view path = "/mcp") {
  http::Request request;
  request.method = "POST";
  request.path = path;
  request.headers = std::move(headers);
  return request;
}

TEST(Keyring, S2_11_ABearerTokenLetsItsPrincipalIn) {
  auto request = with({{"authorization", "bearer secret-b"}});
  EXPECT_FALSE(ring().refuse(request));
  EXPECT_EQ(request.principal, "bob");
}

TEST(Keyring, AnApiKeyDoesTheSame) {
  auto request = with({{"X-API-Key", "secret-a"}});
  EXPECT_FALSE(ring().refuse(request));
  EXPECT_EQ(request.principal, "ann");
}

TEST(Keyring, S2_11_WithoutAKeyTheAnswerIs401AndSaysHow) {
  auto request = with({});
  const auto refusal = ring().refuse(request);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->status, 401);
  EXPECT_EQ(refusal->headers.at(0), (http::Header{"WWW-Authenticate", "Bearer realm=\"fairlead\""}));
}

TEST(Keyring, AWrongKeyIsRefusedAndLeavesNobodyBehind) {
  for (const auto* token : {"Bearer wrong", "Bearer ", "Bearer", "Basic secret-a", "secret-a", "Bearersecret-a"}) {
    auto request = with({{"Authorization", token}});
    request.principal = "ann";
    EXPECT_EQ(ring().refuse(request)->status, 401) << token;
    EXPECT_EQ(request.principal, "") << token;
  }
}

TEST(Keyring, TwoKeysAreNone) {
  auto both = with({{"Authorization", "Bearer secret-a"}, {"X-API-Key", "secret-a"}});
  EXPECT_TRUE(ring().refuse(both));
  auto twice = with({{"X-API-Key", "wrong"}, {"X-API-Key", "secret-a"}});
  EXPECT_TRUE(ring().refuse(twice));
}

TEST(Keyring, AnEmptyRingLetsNobodyIn) {
  const auto empty = Keyring::make({}).value();
  auto request = with({{"Authorization", "Bearer x"}});
  EXPECT_TRUE(empty.refuse(request));
}

TEST(Keyring, TheHashItselfIsNoKey) {
  const auto hash = hash_of("secret-a");
  EXPECT_FALSE(ring().principal_of(hash));
  EXPECT_EQ(hash.size(), 64u);
}

TEST(Keyring, HealthNeedsNoKeyAndGetsNoPrincipal) {
  auto request = with({{"Authorization", "Bearer secret-a"}}, "/healthz");
  EXPECT_FALSE(ring().refuse(request));
  EXPECT_EQ(request.principal, "");
}

TEST(Keyring, WhatIsNoHashIsFoundAtTheStart) {
  EXPECT_FALSE(Keyring::make({{"ann", "secret-a"}}));
  EXPECT_FALSE(Keyring::make({{"ann", std::string(64, 'g')}}));
  EXPECT_FALSE(Keyring::make({{"", hash_of("x")}}));
}

}  // namespace
}  // namespace fairlead::auth::keyring_test
