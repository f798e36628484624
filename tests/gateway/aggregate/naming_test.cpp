#include "gateway/aggregate/naming.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace fairlead::gateway::naming_test {
namespace {

using testing::ElementsAre;
using testing::MatchesRegex;
using testing::StartsWith;

std::vector<std::string> shown(const std::vector<ClientName>& names) {
  std::vector<std::string> all;
  for (const auto& name : names) {
    if (name.change != NameChange::hidden) all.push_back(name.name);
  }
  return all;
}

std::vector<std::string> names(const std::vector<UpstreamNames>& servers, const NamingConfig& rules = {}) {
  return shown(client_names(servers, rules));
}

TEST(Naming, KeepsAUniqueName) {
  EXPECT_THAT(names({{"git", "", {"push", "pull"}}, {"fs", "", {"read"}}}), ElementsAre("push", "pull", "read"));
}

TEST(Naming, PrefixesAConflictingNameInBothServers) {
  EXPECT_THAT(names({{"git", "", {"push", "list"}}, {"fs", "", {"list"}}}),
              ElementsAre("push", "git__list", "fs__list"));
}

TEST(Naming, UsesAConfiguredPrefix) {
  EXPECT_THAT(names({{"github-enterprise", "gh", {"list"}}, {"fs", "", {"list"}}}),
              ElementsAre("gh__list", "fs__list"));
}

TEST(Naming, PrefixesEverythingWithPolicyAlways) {
  const NamingConfig always{.prefix = PrefixPolicy::always, .separator = "."};
  EXPECT_THAT(names({{"git", "", {"push"}}, {"fs", "", {"read"}}}, always), ElementsAre("git.push", "fs.read"));
}

TEST(Naming, KeepsTheFirstNameWithPolicyNever) {
  const NamingConfig never{.prefix = PrefixPolicy::never};
  const auto all = client_names({{"git", "", {"list"}}, {"fs", "", {"list", "read"}}}, never);
  EXPECT_THAT(shown(all), ElementsAre("list", "read"));
  EXPECT_EQ(all[1].server, 1u);
  EXPECT_EQ(all[1].change, NameChange::hidden);
}

TEST(Naming, HidesADuplicateNameOfOneServer) {
  const auto all = client_names({{"git", "", {"list", "list"}}}, {});
  EXPECT_THAT(shown(all), ElementsAre("list"));
  EXPECT_EQ(all[1].change, NameChange::hidden);
}

TEST(Naming, ReplacesInvalidCharactersInThePrefix) {
  EXPECT_EQ(clean_prefix("my server/1.2-x"), "my_server_1.2-x");
  EXPECT_EQ(clean_prefix("ü"), "__");
  EXPECT_THAT(names({{"a b", "", {"x"}}, {"c", "", {"x"}}}), ElementsAre("a_b__x", "c__x"));
}

TEST(Naming, Complaint_14_TruncatesALongNameWithAStableSuffix) {
  const std::string name(60, 'n');
  const auto once = names({{"server", "", {name}}, {"other", "", {name}}});
  ASSERT_EQ(once.size(), 2u);
  EXPECT_NE(once[0], once[1]);
  for (const auto& each : once) {
    EXPECT_EQ(each.size(), 64u);
    EXPECT_THAT(each, MatchesRegex("[a-z]+__n+_[0-9a-f]{8}"));
  }
  EXPECT_EQ(once, names({{"server", "", {name}}, {"other", "", {name}}}));
  // Other servers do not change it.
  EXPECT_EQ(once[0], names({{"server", "", {name}}, {"third", "", {"y"}}, {"other", "", {name}}})[0]);
}

TEST(Naming, Complaint_14_DistinguishesTruncatedNamesWithACommonPrefix) {
  const std::string begin(80, 'n');
  const auto all = names({{"server", "", {begin + "a", begin + "b"}}});
  EXPECT_NE(all[0], all[1]);
  EXPECT_EQ(all[0].size(), 64u);
}

TEST(Naming, DoesNotSplitACharacter) {
  std::string name;
  for (int i = 0; i < 40; ++i) name += "é";
  const auto cut = names({{"server", "", {"x" + name}}}, {.max_length = 64});
  EXPECT_THAT(cut[0], StartsWith("xé"));
  EXPECT_EQ((cut[0].size() - 1 - 9) % 2, 0u);
}

TEST(Naming, TreatsAMaximumOfZeroAsUnlimited) {
  const std::string name(500, 'n');
  EXPECT_THAT(names({{"server", "", {name}}}, {.max_length = 0}), ElementsAre(name));
}

// Attack: a server whose prefixed names equal those of another.
TEST(Naming, Attack_OverlappingPrefixesDoNotShadowOtherTools) {
  const NamingConfig always{.prefix = PrefixPolicy::always};
  const auto all = names({{"git", "", {"hub__x"}}, {"git__hub", "", {"x"}}}, always);
  EXPECT_THAT(all[0], MatchesRegex("git__hub__x_[0-9a-f]{8}"));
  EXPECT_THAT(all[1], MatchesRegex("git__hub__x_[0-9a-f]{8}"));
  EXPECT_NE(all[0], all[1]);
}

TEST(Naming, Attack_APrefixedLookingNameTakesNothingOver) {
  const auto all = names({{"git", "", {"x"}}, {"hub", "", {"x"}}, {"evil", "", {"git__x"}}});
  EXPECT_EQ(std::ranges::count(all, "git__x"), 0);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 3u);
  EXPECT_EQ(all[1], "hub__x");
}

TEST(Naming, Attack_ASuffixedLookingNameTakesNothingOver) {
  const auto before = names({{"git", "", {"x"}}, {"hub", "", {"x"}}, {"evil", "", {"git__x"}}});
  const auto after = names({{"git", "", {"x"}}, {"hub", "", {"x"}}, {"evil", "", {"git__x", before[0]}}});
  EXPECT_EQ(std::set(after.begin(), after.end()).size(), 4u);
  EXPECT_EQ(std::ranges::count(after, before[0]), 0);
}

TEST(Naming, Attack_DistinguishesPrefixesThatAreEqualAfterCleaning) {
  const auto all = names({{"a b", "", {"x"}}, {"a_b", "", {"x"}}});
  EXPECT_NE(all[0], all[1]);
}

TEST(Naming, DistinguishesNamesByCase) {
  EXPECT_THAT(names({{"a", "", {"Read"}}, {"b", "", {"read"}}}), ElementsAre("Read", "read"));
}

TEST(Naming, ANewServerRenamesOnlyConflictingNames) {
  const auto before = names({{"git", "", {"push", "list"}}, {"fs", "", {"read"}}});
  const auto after = names({{"git", "", {"push", "list"}}, {"fs", "", {"read"}}, {"db", "", {"list", "query"}}});
  EXPECT_THAT(before, ElementsAre("push", "list", "read"));
  EXPECT_THAT(after, ElementsAre("push", "git__list", "read", "db__list", "query"));
}

}  // namespace
}  // namespace fairlead::gateway::naming_test
