#include "gateway/app/reachable_url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::gateway::test::reachable_url_test {
namespace {

using testing::HasSubstr;
using testing::Not;

ListenConfig listening_on(std::string host, std::vector<std::string> allowed = {}) {
  ListenConfig listen;
  listen.host = std::move(host);
  listen.allow_hosts = std::move(allowed);
  return listen;
}

TEST(ReachableUrl, Finding_C2_KeepsASpecificAddress) {
  EXPECT_EQ(reachable_url("http://192.0.2.7:8080", listening_on("192.0.2.7", {"tools.example"})),
            "http://192.0.2.7:8080");
}

TEST(ReachableUrl, Finding_C2_ReplacesTheWildcardAddressByAnAllowedHost) {
  EXPECT_EQ(reachable_url("https://0.0.0.0:8443", listening_on("0.0.0.0", {"*", "tools.example"})),
            "https://tools.example:8443");
  EXPECT_EQ(reachable_url("http://[::]:8080", listening_on("::", {"tools.example:80"})), "http://tools.example:80");
}

TEST(ReachableUrl, Finding_C2_FallsBackToAnAddressOfThisMachine) {
  const auto url = reachable_url("http://0.0.0.0:8080", listening_on("0.0.0.0"));
  EXPECT_THAT(url, HasSubstr(":8080"));
  EXPECT_THAT(url, Not(HasSubstr("0.0.0.0")));
}

TEST(HasPort, HandlesIpv6Addresses) {
  EXPECT_TRUE(has_port("tools.example:80"));
  EXPECT_TRUE(has_port("[2001:db8::7]:80"));
  EXPECT_FALSE(has_port("tools.example"));
  EXPECT_FALSE(has_port("[2001:db8::7]"));
}

}  // namespace
}  // namespace fairlead::gateway::test::reachable_url_test
