#include <fairlead/http/guard.hpp>

#include <gtest/gtest.h>

namespace fairlead::http::guard_test {
namespace {

std::uint16_t verdict(const Guard& guard, std::vector<HeaderView> headers) {
  Request request;
  request.headers = std::move(headers);
  const auto refusal = guard.refuse(request);
  return refusal ? refusal->status : 200;
}

TEST(Guard, ServesLoopbackNamesWithItsPort) {
  const Guard guard({}, {.port = 8080});
  for (const auto* host : {"localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"}) {
    EXPECT_EQ(verdict(guard, {{"Host", host}}), 200) << host;
  }
}

TEST(Guard, ServesNoOtherName) {
  const Guard guard({}, {.port = 8080});
  for (const auto* host : {"evil.com", "evil.com:8080", "localhost", "localhost:80", "localhost:8080.evil.com", "",
                           "xlocalhost:8080", "127.0.0.1", "127.0.0.1:80800", "localhost:8080 ", "user@localhost:8080",
                           "127.0.0.2:8080", "0.0.0.0:8080", "localhost.:8080"}) {
    EXPECT_EQ(verdict(guard, {{"Host", host}}), 403) << host;
  }
}

TEST(Guard, WantsExactlyOneHost) {
  const Guard guard({}, {.port = 8080});
  EXPECT_EQ(verdict(guard, {}), 403);
  EXPECT_EQ(verdict(guard, {{"Host", "localhost:8080"}, {"host", "localhost:8080"}}), 403);
}

TEST(Guard, LeavesOutThePortThatTheSchemeHas) {
  const Guard plain({}, {.port = 80});
  const Guard secure({}, {.port = 443, .secure = true});
  EXPECT_EQ(verdict(plain, {{"Host", "localhost"}, {"Origin", "http://localhost"}}), 200);
  EXPECT_EQ(verdict(secure, {{"Host", "localhost"}, {"Origin", "https://localhost"}}), 200);
  EXPECT_EQ(verdict(secure, {{"Host", "localhost"}, {"Origin", "http://localhost"}}), 403);
}

TEST(Guard, ServesTheBoundAddress) {
  const Guard four({}, {.host = "192.0.2.7", .port = 8080});
  const Guard six({}, {.host = "2001:db8::7", .port = 8080});
  EXPECT_EQ(verdict(four, {{"Host", "192.0.2.7:8080"}}), 200);
  EXPECT_EQ(verdict(six, {{"Host", "[2001:db8::7]:8080"}}), 200);
}

TEST(Guard, ServesEveryNumberButNoNameWhenBoundToAll) {
  const Guard guard({}, {.host = "0.0.0.0", .port = 8080});
  EXPECT_EQ(verdict(guard, {{"Host", "192.0.2.7:8080"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "[2001:db8::7]:8080"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "evil.com:8080"}}), 403);
  EXPECT_EQ(verdict(guard, {{"Host", "192.0.2.7.evil.com:8080"}}), 403);
}

TEST(Guard, ServesWhatItIsToldTo) {
  const Guard guard({.hosts = {"mcp.example.com"}, .origins = {"https://app.example.com"}}, {.port = 8080});
  EXPECT_EQ(verdict(guard, {{"Host", "mcp.example.com"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "mcp.example.com:8080"}}), 403);
  EXPECT_EQ(verdict(guard, {{"Host", "localhost:8080"}, {"Origin", "https://app.example.com"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "localhost:8080"}, {"Origin", "https://app.example.com.evil.com"}}), 403);
}

TEST(Guard, LetsOnlyItsOwnPagesCall) {
  const Guard guard({}, {.port = 8080});
  const auto from = [&](std::string_view origin) {
    return verdict(guard, {{"Host", "localhost:8080"}, {"Origin", origin}});
  };
  EXPECT_EQ(from("http://localhost:8080"), 200);
  EXPECT_EQ(from("http://127.0.0.1:8080"), 200);
  for (const auto* origin : {"http://evil.com", "null", "", "http://localhost", "https://localhost:8080",
                             "http://localhost:8080/", "http://localhost:8080.evil.com", "localhost:8080"}) {
    EXPECT_EQ(from(origin), 403) << origin;
  }
}

TEST(Guard, RefusesTwoOrigins) {
  const Guard guard({}, {.port = 8080});
  EXPECT_EQ(
      verdict(guard,
              {{"Host", "localhost:8080"}, {"Origin", "http://localhost:8080"}, {"Origin", "http://localhost:8080"}}),
      403);
}

TEST(Guard, CanBeOpenedButNotToPagesWithoutAnOrigin) {
  const Guard guard({.hosts = {"*"}, .origins = {"*"}}, {.port = 8080});
  EXPECT_EQ(verdict(guard, {{"Host", "any"}, {"Origin", "http://any"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "any"}, {"Origin", "null"}}), 403);
}

}  // namespace
}  // namespace fairlead::http::guard_test
