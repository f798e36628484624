#include <fstream>
#include <sys/stat.h>

#include "gateway/merge_fixture.hpp"

/// What is kept of servers between two runs.
namespace fairlead::gateway::test::merge_catalogue_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class MergeCatalogue : public MergeTest {
 protected:
  MergeCatalogue() {
    std::string pattern = testing::TempDir() + "catalogue.XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    options_.file = folder_ / "lists.json";
  }
  ~MergeCatalogue() override { std::filesystem::remove_all(folder_); }

  /// The same servers in another run of the program.
  FakeMember& again(const std::string& name, std::string fingerprint = "as it is") {
    members_.clear();
    seats_.clear();
    merge_.reset();
    auto& member = add(name);
    seats_.back().lazy = true;
    seats_.back().fingerprint = std::move(fingerprint);
    return member;
  }
  void remember(const std::vector<std::string>& names) {
    add("a").tools(names).description.instructions = "be kind";
    tools();
    ASSERT_TRUE(merge().save());
  }

  std::filesystem::path folder_;
};

TEST_F(MergeCatalogue, Complaint_10_ALazyServersToolsAreListedWithoutStartingIt) {
  remember({"one", "two"});
  auto& a = again("a");
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  EXPECT_EQ(a.described, 0u);
  EXPECT_THAT(a.calls, IsEmpty());
}

TEST_F(MergeCatalogue, ALazyServerIsStartedByTheFirstCallAndThenAskedAnew) {
  remember({"one"});
  auto& a = again("a").tools({"one", "new"}).answers("tools/call", "{}");
  FakePeer peer;
  const auto attendance = attend(peer);
  EXPECT_THAT(tools(), ElementsAre("one"));
  EXPECT_EQ(body("tools/call", R"({"name":"one"})"), "{}");
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_THAT(peer.heard, ElementsAre("notifications/tools/list_changed"));
  EXPECT_THAT(tools(), ElementsAre("one", "new"));
}

TEST_F(MergeCatalogue, WhatAnotherConfigurationOfferedIsForgotten) {
  remember({"one"});
  auto& a = again("a", "another").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(MergeCatalogue, AServerThatIsNotLazyIsAskedAnewAndItsOldListIsOnlyTheLastResort) {
  remember({"one"});
  auto& a = again("a").tools({"two"});
  seats_[0].lazy = false;
  a.dead = true;
  EXPECT_THAT(tools(), ElementsAre("one"));
  a.dead = false;
  pass(1s);
  EXPECT_THAT(tools(), ElementsAre("two"));
}

TEST_F(MergeCatalogue, WhatALazyServerCanDoIsRemembered) {
  remember({"one"});
  again("a");
  auto pending = std::make_shared<std::optional<client::ServerDescription>>();
  const auto run = [](Merge* merge, std::shared_ptr<std::optional<client::ServerDescription>> out) -> Task<void> {
    auto described = co_await merge->merged_description();
    if (described) *out = std::move(*described);
  };
  tasks_.spawn(run(&merge(), pending));
  poll();
  ASSERT_TRUE(*pending);
  EXPECT_TRUE((*pending)->capabilities.tools);
  EXPECT_FALSE((*pending)->capabilities.prompts);
  EXPECT_EQ((*pending)->instructions, "be kind");
}

TEST_F(MergeCatalogue, AChangeIsWrittenByItself) {
  add("a").tools({"one"});
  tools();
  EXPECT_FALSE(std::filesystem::exists(options_.file));
  pass(1s);
  EXPECT_TRUE(std::filesystem::exists(options_.file));
}

TEST_F(MergeCatalogue, TheFileIsForItsOwnerAloneAndLeavesNothingBeside) {
  remember({"one"});
  struct stat about = {};
  ASSERT_EQ(::stat(options_.file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  const std::filesystem::directory_iterator all(folder_);
  EXPECT_EQ(std::distance(begin(all), end(all)), 1);
}

TEST_F(MergeCatalogue, ItemsComeBackByteForByte) {
  const std::string odd = R"({ "name":"t","n":[1.0,1e3,9223372036854775808],"_meta":{"z":1,"a":2} })";
  add("a").has(ListKind::tools, {odd});
  tools();
  ASSERT_TRUE(merge().save());
  again("a");
  EXPECT_EQ(body("tools/list"), R"({"tools":[)" + odd + "]}");
}

TEST_F(MergeCatalogue, AFileThatOthersCouldHaveWrittenIsNotUsed) {
  remember({"one"});
  ASSERT_EQ(::chmod(options_.file.c_str(), 0666), 0);
  auto& a = again("a").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_TRUE(log_.contains("others can write it"));
}

TEST_F(MergeCatalogue, ALinkInItsPlaceIsNotFollowed) {
  remember({"one"});
  std::filesystem::rename(options_.file, folder_ / "elsewhere");
  std::filesystem::create_symlink(folder_ / "elsewhere", options_.file);
  again("a").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
}

TEST_F(MergeCatalogue, AFileThatIsBrokenIsComplainedOfAndNotUsed) {
  for (const auto* broken : {"", "{", "[]", R"({"format":2,"members":[]})", R"({"format":1,"members":7})",
                             R"({"format":1,"members":[7,{"name":7}]})"}) {
    EXPECT_FALSE(std::filesystem::exists(options_.file));
    std::ofstream(options_.file) << broken;
    ASSERT_EQ(::chmod(options_.file.c_str(), 0600), 0);
    again("a").tools({"two"});
    EXPECT_THAT(tools(), ElementsAre("two")) << broken;
    std::filesystem::remove(options_.file);
  }
}

TEST_F(MergeCatalogue, APlaceThatCannotBeWrittenIsToldAsAnError) {
  options_.file = folder_ / "missing" / "lists.json";
  add("a").tools({"one"});
  tools();
  EXPECT_FALSE(merge().save());
  pass(1s);
  EXPECT_TRUE(log_.contains("cannot write"));
}

}  // namespace
}  // namespace fairlead::gateway::test::merge_catalogue_test
