#include "gateway/model/config_secrets.hpp"

#include <fairlead/base/base64.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/secret_mask.hpp"
#include "gateway/upstream/upstream_errors.hpp"

namespace fairlead::gateway::test::config_secrets_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

ServerConfig at_url(std::string url) {
  ServerConfig server{.name = "far"};
  server.url = std::move(url);
  return server;
}

TEST(ConfigSecrets, IncludeHeaderValuesAndTheirTokens) {
  auto server = at_url("http://x/mcp");
  server.headers["Authorization"] = "Bearer abcd1234";
  EXPECT_THAT(secrets_of(server), UnorderedElementsAre("Bearer abcd1234", "abcd1234"));
}

TEST(ConfigSecrets, IncludeUrlPasswordsAndSecretParameters) {
  EXPECT_THAT(secrets_of(at_url("http://me:hunter22@host/mcp?api_key=k3yk3y&page=12#top")),
              UnorderedElementsAre(base64_encode("me:hunter22"), "hunter22", "k3yk3y"));
  EXPECT_THAT(secrets_of(at_url("http://host/a@b:c/mcp?token")), IsEmpty());
  EXPECT_THAT(secrets_of(at_url("http://me@host:80/mcp")), Not(Contains("80/mcp")));
}

TEST(ConfigSecrets, IncludeEnvironmentValuesByNameOrShape) {
  ServerConfig server{.name = "near", .command = {"x"}};
  server.inherit_env = false;
  server.env = {{"GITHUB_TOKEN", "secret"},    {"MODE", "production"}, {"PORT", "8080"},
                {"PATH", "/usr/bin1234:/bin"}, {"PIN", "1"},           {"ODD", "a1b2c3d4e5f6"},
                {"TITLE", "two words 12"}};
  EXPECT_THAT(secrets_of(server), UnorderedElementsAre("secret", "a1b2c3d4e5f6"));
}

TEST(ConfigSecrets, IncludeInheritedVariablesForChildrenOnly) {
  ::setenv("FAIRLEAD_TEST_API_TOKEN", "inherited-secret", 1);
  ServerConfig child{.name = "near", .command = {"x"}};
  const auto inherited = secrets_of(child);
  child.inherit_env = false;
  const auto alone = secrets_of(child);
  const auto far = secrets_of(at_url("http://x/mcp"));
  ::unsetenv("FAIRLEAD_TEST_API_TOKEN");
  EXPECT_THAT(inherited, Contains("inherited-secret"));
  EXPECT_THAT(alone, IsEmpty());
  EXPECT_THAT(far, IsEmpty());
}

TEST(ConfigSecrets, ExcludeHarmlessEnvironmentValuesFromLogRedaction) {
  GatewayConfig config;
  config.servers.push_back({.name = "near", .command = {"x"}});
  config.servers[0].env = {{"GITHUB_TOKEN", "hidden-in-both"}, {"MODE", "production"}};
  config.chain = {{.name = "headers", .arguments = {{"X-Key", "in-a-chain"}}}};
  EXPECT_THAT(secrets_in_logs(config),
              AllOf(Contains("hidden-in-both"), Contains("in-a-chain"), Not(Contains("production"))));
  EXPECT_THAT(known_secrets(config), AllOf(Contains("hidden-in-both"), Contains("production")));
}

TEST(ConfigSecrets, AreRedactedInErrorsEvenWhenTruncated) {
  const std::vector<std::string> secrets{"longer-secret", "secret"};
  Error error{
      .kind = ErrorKind::refused, .message = "a longer-secret and a secret, or longer-se", .data = R"({"x":"secret"})"};
  const auto clean = redacted(secrets, std::move(error));
  EXPECT_EQ(clean.message, "a [redacted] and a [redacted], or [redacted]");
  EXPECT_EQ(clean.data, R"({"x":"[redacted]"})");
}

TEST(ConfigSecrets, AreMaskedInPrintedConfiguration) {
  const config::SecretMask mask;
  EXPECT_EQ(mask.setting("ODD", "a1b2c3d4e5f6"), "[redacted]");
  EXPECT_EQ(mask.setting("MODE", "production"), "production");
}

}  // namespace
}  // namespace fairlead::gateway::test::config_secrets_test
