#include "gateway/app/listen_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::gateway::test::listen_options_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ListenOptions, RefuseAPublicAddressWithoutAuthentication) {
  ListenConfig listen{.host = "0.0.0.0"};
  const auto refused = listen_options(listen);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("refusing to listen on 0.0.0.0"));
  listen.insecure = true;
  EXPECT_TRUE(listen_options(listen));
}

TEST(ListenOptions, ServeAnAllowedHostWithAndWithoutThePort) {
  const auto options = listen_options({.port = 9000, .allow_hosts = {"tools.example", "other.example:80", "*"}});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->host_origin.hosts, ElementsAre("tools.example", "other.example:80", "*", "tools.example:9000"));
}

}  // namespace
}  // namespace fairlead::gateway::test::listen_options_test
