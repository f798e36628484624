#include "gateway/fixtures/aggregator_fixture.hpp"

/// The combined description of several servers.
namespace fairlead::gateway::test::combined_description_test {
namespace {

using testing::HasSubstr;

class CombinedDescriptionTest : public AggregatorTest {
 protected:
  using Answer = std::shared_ptr<std::optional<client::ServerDescription>>;

  Answer describe() {
    auto pending = std::make_shared<std::optional<client::ServerDescription>>();
    tasks_.spawn(ask_for_it(&aggregator(), pending));
    poll();
    return pending;
  }

 private:
  static Task<void> ask_for_it(Aggregator* aggregator, Answer answer) {
    auto described = co_await aggregator->combined_description();
    if (described) *answer = std::move(*described);
  }
};

TEST_F(CombinedDescriptionTest, CombinesTheCapabilitiesOfAllServers) {
  add("a").tools({});
  auto& b = add("b").has(ListKind::resources, {});
  b.description.capabilities.resources->subscribe = true;
  b.description.capabilities.resources->listChanged = {};
  b.description.capabilities.logging = json::Payload::trusted("{}");
  const auto described = describe();
  ASSERT_TRUE(*described);
  EXPECT_EQ(json::encode((*described)->capabilities),
            R"({"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"logging":{}})");
}

TEST_F(CombinedDescriptionTest, JoinsInstructionsWithServerNames) {
  add("git").tools({}).description.instructions = "commit often";
  add("quiet").tools({});
  add("fs").tools({}).description.instructions = "read only";
  EXPECT_EQ((*describe())->instructions, "# git\n\ncommit often\n\n# fs\n\nread only");
}

TEST_F(CombinedDescriptionTest, KeepsTheInstructionsOfASingleServer) {
  add("git").tools({}).description.instructions = "commit often";
  EXPECT_EQ((*describe())->instructions, "commit often");
}

TEST_F(CombinedDescriptionTest, LimitsTheInstructions) {
  options_.max_instructions = 20;
  add("git").tools({}).description.instructions = std::string(100, 'x');
  add("fs").tools({}).description.instructions = "read only";
  EXPECT_EQ((*describe())->instructions, "# git\n\n" + std::string(13, 'x') + "…");
}

TEST_F(CombinedDescriptionTest, AssumesAllListsForAServerThatDoesNotAnswerInTime) {
  add("slow").silent = true;
  add("a").tools({});
  const auto described = describe();
  EXPECT_FALSE(*described);
  pass(5s);
  ASSERT_TRUE(*described);
  EXPECT_EQ(json::encode((*described)->capabilities),
            R"({"tools":{"listChanged":true},"resources":{"listChanged":true},"prompts":{"listChanged":true}})");
}

TEST_F(CombinedDescriptionTest, OffersAllListsWithoutServers) {
  EXPECT_TRUE((*describe())->capabilities.tools);
  EXPECT_EQ(body("tools/list"), R"({"tools":[]})");
}

TEST_F(CombinedDescriptionTest, DoesNotStartALazyServer) {
  auto& a = add("a").tools({});
  slots_[0].lazy = true;
  EXPECT_TRUE((*describe())->capabilities.tools);
  EXPECT_EQ(a.described, 0u);
}

TEST_F(CombinedDescriptionTest, OffersTaskListsForASingleServerOnly) {
  add("a").tools({}).description.capabilities.tasks = json::Payload::trusted(R"({"list":{},"cancel":{}})");
  auto& b = add("b").tools({});
  EXPECT_EQ((*describe())->capabilities.tasks->text(), R"({"list":{},"cancel":{}})");
  b.description.capabilities.tasks = json::Payload::trusted("{}");
  EXPECT_EQ((*describe())->capabilities.tasks->text(), R"({"cancel":{}})");
}

TEST_F(CombinedDescriptionTest, Finding_P1_OffersTheExtensionsThatAreRoutedBetweenSeveralServers) {
  add("a").tools({}).description.capabilities.extensions = {
      {{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")},
       {"io.modelcontextprotocol/skills", json::Payload::trusted("{}")}}};
  add("b").tools({});
  EXPECT_THAT(json::encode((*describe())->capabilities),
              HasSubstr(R"("extensions":{"io.modelcontextprotocol/skills":{},"io.modelcontextprotocol/tasks":{}})"));
}

TEST_F(CombinedDescriptionTest, AnswersPingItself) {
  auto& a = add("a").tools({});
  EXPECT_TRUE(a.calls.empty());
  EXPECT_EQ(body("ping"), "{}");
}

}  // namespace
}  // namespace fairlead::gateway::test::combined_description_test
