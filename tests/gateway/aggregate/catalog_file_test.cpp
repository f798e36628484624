#include <fstream>
#include <sys/stat.h>

#include "gateway/fixtures/aggregator_fixture.hpp"

/// Lists that are saved between two runs.
namespace fairlead::gateway::test::catalog_file_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CatalogFileTest : public AggregatorTest {
 protected:
  CatalogFileTest() {
    std::string pattern = testing::TempDir() + "catalogue.XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    options_.file = folder_ / "lists.json";
  }
  ~CatalogFileTest() override { std::filesystem::remove_all(folder_); }

  /// The same backends in another run of the program.
  FakeBackend& again(const std::string& name, std::string fingerprint = "as it is") {
    backends_.clear();
    slots_.clear();
    aggregator_.reset();
    auto& backend = add(name);
    slots_.back().lazy = true;
    slots_.back().fingerprint = std::move(fingerprint);
    return backend;
  }
  void remember(const std::vector<std::string>& names) {
    add("a").tools(names).description.instructions = "be kind";
    tools();
    ASSERT_TRUE(aggregator().save());
  }

  std::filesystem::path folder_;
};

TEST_F(CatalogFileTest, Complaint_10_ListsToolsOfALazyServerWithoutStartingIt) {
  remember({"one", "two"});
  auto& a = again("a");
  EXPECT_THAT(tools(), ElementsAre("one", "two"));
  EXPECT_EQ(a.described, 0u);
  EXPECT_THAT(a.calls, IsEmpty());
}

TEST_F(CatalogFileTest, RefreshesALazyServerAfterItsFirstCall) {
  remember({"one"});
  auto& a = again("a").tools({"one", "new"}).answers("tools/call", "{}");
  FakePeer peer;
  const auto hook = open_session(peer);
  EXPECT_THAT(tools(), ElementsAre("one"));
  EXPECT_EQ(body("tools/call", R"({"name":"one"})"), "{}");
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_THAT(peer.received, ElementsAre("notifications/tools/list_changed"));
  EXPECT_THAT(tools(), ElementsAre("one", "new"));
}

TEST_F(CatalogFileTest, IgnoresListsOfAnotherConfiguration) {
  remember({"one"});
  auto& a = again("a", "another").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_EQ(a.count("tools/list"), 1u);
}

TEST_F(CatalogFileTest, UsesTheSavedListOfAnEagerServerOnlyAsAFallback) {
  remember({"one"});
  auto& a = again("a").tools({"two"});
  slots_[0].lazy = false;
  a.dead = true;
  EXPECT_THAT(tools(), ElementsAre("one"));
  a.dead = false;
  pass(1s);
  EXPECT_THAT(tools(), ElementsAre("two"));
}

TEST_F(CatalogFileTest, RemembersTheCapabilitiesOfALazyServer) {
  remember({"one"});
  again("a");
  auto pending = std::make_shared<std::optional<client::ServerDescription>>();
  const auto run = [](Aggregator* aggregator,
                      std::shared_ptr<std::optional<client::ServerDescription>> out) -> Task<void> {
    auto described = co_await aggregator->combined_description();
    if (described) *out = std::move(*described);
  };
  tasks_.spawn(run(&aggregator(), pending));
  poll();
  ASSERT_TRUE(*pending);
  EXPECT_TRUE((*pending)->capabilities.tools);
  EXPECT_FALSE((*pending)->capabilities.prompts);
  EXPECT_EQ((*pending)->instructions, "be kind");
}

TEST_F(CatalogFileTest, WritesChangesAutomatically) {
  add("a").tools({"one"});
  tools();
  EXPECT_FALSE(std::filesystem::exists(options_.file));
  pass(1s);
  EXPECT_TRUE(std::filesystem::exists(options_.file));
}

TEST_F(CatalogFileTest, WritesAPrivateFileAndNoTemporaryFiles) {
  remember({"one"});
  struct stat about = {};
  ASSERT_EQ(::stat(options_.file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  const std::filesystem::directory_iterator all(folder_);
  EXPECT_EQ(std::distance(begin(all), end(all)), 1);
}

TEST_F(CatalogFileTest, RestoresItemsByteForByte) {
  const std::string odd = R"({ "name":"t","n":[1.0,1e3,9223372036854775808],"_meta":{"z":1,"a":2} })";
  add("a").has(ListKind::tools, {odd});
  tools();
  ASSERT_TRUE(aggregator().save());
  again("a");
  EXPECT_EQ(body("tools/list"), R"({"tools":[)" + odd + "]}");
}

TEST_F(CatalogFileTest, RejectsAFileThatOthersCanWrite) {
  remember({"one"});
  ASSERT_EQ(::chmod(options_.file.c_str(), 0666), 0);
  auto& a = again("a").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
  EXPECT_EQ(a.count("tools/list"), 1u);
  EXPECT_TRUE(log_.contains("other users can write it"));
}

TEST_F(CatalogFileTest, DoesNotFollowSymbolicLinks) {
  remember({"one"});
  std::filesystem::rename(options_.file, folder_ / "elsewhere");
  std::filesystem::create_symlink(folder_ / "elsewhere", options_.file);
  again("a").tools({"two"});
  EXPECT_THAT(tools(), ElementsAre("two"));
}

TEST_F(CatalogFileTest, WarnsAboutAMalformedFileAndIgnoresIt) {
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

TEST_F(CatalogFileTest, ReportsAnUnwritablePath) {
  options_.file = folder_ / "missing" / "lists.json";
  add("a").tools({"one"});
  tools();
  EXPECT_FALSE(aggregator().save());
  pass(1s);
  EXPECT_TRUE(log_.contains("cannot write"));
}

}  // namespace
}  // namespace fairlead::gateway::test::catalog_file_test
