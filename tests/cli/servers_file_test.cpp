#include "cli/servers_file.hpp"

#include <gtest/gtest.h>

namespace fairlead::cli::servers_file_test {
namespace {

gateway::GatewayConfig with(std::initializer_list<const char*> names) {
  gateway::GatewayConfig config;
  for (const auto* name : names) config.servers.push_back({.name = name});
  return config;
}

TEST(ServersFile, SplitsServerAndToolAtTheDot) {
  const auto found = split_qualified_name(with({"memory", "files"}), "files.read.all");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->server.name, "files");
  EXPECT_EQ(found->rest, "read.all");
}

TEST(ServersFile, PrefersTheLongestMatchingServerName) {
  const auto found = split_qualified_name(with({"git", "git.hub"}), "git.hub.clone");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->server.name, "git.hub");
  EXPECT_EQ(found->rest, "clone");
}

TEST(ServersFile, UnknownServerErrorListsKnownServers) {
  const auto found = split_qualified_name(with({"memory", "files"}), "flies.read");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "no server is named 'flies'; did you mean 'files'? configured: memory, files");
}

TEST(ServersFile, NoServersErrorSuggestsAdd) {
  const auto found = find_server({}, "any");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("fairlead add"), std::string::npos);
}

TEST(ServersFile, UsesTheGivenFiles) {
  const std::vector<std::string> named{"a.yaml", "b.json"};
  EXPECT_EQ(resolve_config_files(named), named);
}

}  // namespace
}  // namespace fairlead::cli::servers_file_test
