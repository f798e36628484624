#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/config/diff.hpp"
#include "gateway/fixtures/config_reader.hpp"

namespace fairlead::gateway::test::config_diff_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Difference between(const std::string& before, const std::string& after) {
  return diff(read_text(before).value().config, read_text(after).value().config);
}

TEST(ConfigDiff, ListsAddedRemovedAndChangedServers) {
  const auto found = between("servers: {a: 'http://h/a', b: 'http://h/b', c: 'http://h/c'}",
                             "servers: {a: 'http://h/a', c: {url: 'http://h/c', timeout: 1s}, d: 'http://h/d'}");
  EXPECT_THAT(found.added, ElementsAre("d"));
  EXPECT_THAT(found.removed, ElementsAre("b"));
  EXPECT_THAT(found.changed, ElementsAre("c"));
  EXPECT_THAT(found.same, ElementsAre("a"));
  EXPECT_FALSE(found.none() || found.order || found.listen || found.chain || found.rest);
}

TEST(ConfigDiff, IgnoresSourceLocations) {
  const auto found = between("servers: {a: {command: [x]}}\nchain: [b]",
                             "# moved\nchain:\n- b\n\nmcpServers:\n  a:\n    command: x\n");
  EXPECT_TRUE(found.none());
  EXPECT_THAT(found.same, ElementsAre("a"));
}

TEST(ConfigDiff, ReportsOtherChanges) {
  EXPECT_TRUE(between("", "listen: {port: 1}").listen);
  EXPECT_TRUE(between("", "chain: [a(1)]").chain);
  EXPECT_TRUE(between("chain: [a(1)]", "chain: [a(2)]").chain);
  EXPECT_TRUE(between("", "naming: {max_length: 60}").rest);
  EXPECT_TRUE(
      between("servers: {a: 'http://h/a', b: 'http://h/b'}", "servers: {b: 'http://h/b', a: 'http://h/a'}").order);
}

}  // namespace
}  // namespace fairlead::gateway::test::config_diff_test
