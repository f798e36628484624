#include <fairlead/http/host_origin_check.hpp>

#include <gtest/gtest.h>

namespace fairlead::http::host_origin_check_test {
namespace {

std::uint16_t verdict(const HostOriginCheck& guard, std::vector<HeaderView> headers) {
  Request request;
  request.headers = std::move(headers);
  const auto refusal = guard.refuse(request);
  return refusal ? refusal->status : 200;
}

TEST(HostOriginCheck, AllowsLoopbackNamesWithPort) {
  const HostOriginCheck guard({}, {.port = 8080});
  for (const auto* host : {"localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"}) {
    EXPECT_EQ(verdict(guard, {{"Host", host}}), 200) << host;
  }
}

TEST(HostOriginCheck, RejectsOtherHosts) {
  const HostOriginCheck guard({}, {.port = 8080});
  for (const auto* host : {"evil.com", "evil.com:8080", "localhost", "localhost:80", "localhost:8080.evil.com", "",
                           "xlocalhost:8080", "127.0.0.1", "127.0.0.1:80800", "localhost:8080 ", "user@localhost:8080",
                           "127.0.0.2:8080", "0.0.0.0:8080", "localhost.:8080"}) {
    EXPECT_EQ(verdict(guard, {{"Host", host}}), 403) << host;
  }
}

TEST(HostOriginCheck, RequiresExactlyOneHost) {
  const HostOriginCheck guard({}, {.port = 8080});
  EXPECT_EQ(verdict(guard, {}), 403);
  EXPECT_EQ(verdict(guard, {{"Host", "localhost:8080"}, {"host", "localhost:8080"}}), 403);
}

TEST(HostOriginCheck, AcceptsHostWithoutDefaultPort) {
  const HostOriginCheck plain({}, {.port = 80});
  const HostOriginCheck secure({}, {.port = 443, .secure = true});
  EXPECT_EQ(verdict(plain, {{"Host", "localhost"}, {"Origin", "http://localhost"}}), 200);
  EXPECT_EQ(verdict(secure, {{"Host", "localhost"}, {"Origin", "https://localhost"}}), 200);
  EXPECT_EQ(verdict(secure, {{"Host", "localhost"}, {"Origin", "http://localhost"}}), 403);
}

TEST(HostOriginCheck, AllowsTheBoundAddress) {
  const HostOriginCheck four({}, {.host = "192.0.2.7", .port = 8080});
  const HostOriginCheck six({}, {.host = "2001:db8::7", .port = 8080});
  EXPECT_EQ(verdict(four, {{"Host", "192.0.2.7:8080"}}), 200);
  EXPECT_EQ(verdict(six, {{"Host", "[2001:db8::7]:8080"}}), 200);
}

TEST(HostOriginCheck, AllowsIpAddressesOnlyWhenBoundToAll) {
  const HostOriginCheck guard({}, {.host = "0.0.0.0", .port = 8080});
  EXPECT_EQ(verdict(guard, {{"Host", "192.0.2.7:8080"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "[2001:db8::7]:8080"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "evil.com:8080"}}), 403);
  EXPECT_EQ(verdict(guard, {{"Host", "192.0.2.7.evil.com:8080"}}), 403);
}

TEST(HostOriginCheck, AllowsConfiguredHosts) {
  const HostOriginCheck guard({.hosts = {"mcp.example.com"}, .origins = {"https://app.example.com"}}, {.port = 8080});
  EXPECT_EQ(verdict(guard, {{"Host", "mcp.example.com"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "mcp.example.com:8080"}}), 403);
  EXPECT_EQ(verdict(guard, {{"Host", "localhost:8080"}, {"Origin", "https://app.example.com"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "localhost:8080"}, {"Origin", "https://app.example.com.evil.com"}}), 403);
}

TEST(HostOriginCheck, AllowsOnlyItsOwnOrigin) {
  const HostOriginCheck guard({}, {.port = 8080});
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

TEST(HostOriginCheck, RejectsTwoOrigins) {
  const HostOriginCheck guard({}, {.port = 8080});
  EXPECT_EQ(
      verdict(guard,
              {{"Host", "localhost:8080"}, {"Origin", "http://localhost:8080"}, {"Origin", "http://localhost:8080"}}),
      403);
}

TEST(HostOriginCheck, WildcardDoesNotAllowNullOrigin) {
  const HostOriginCheck guard({.hosts = {"*"}, .origins = {"*"}}, {.port = 8080});
  EXPECT_EQ(verdict(guard, {{"Host", "any"}, {"Origin", "http://any"}}), 200);
  EXPECT_EQ(verdict(guard, {{"Host", "any"}, {"Origin", "null"}}), 403);
}

}  // namespace
}  // namespace fairlead::http::host_origin_check_test
