#include "gateway/merge_fixture.hpp"

/// How many servers introduce themselves as one.
namespace fairlead::gateway::test::merge_description_test {
namespace {

using testing::HasSubstr;

class MergeDescription : public MergeTest {
 protected:
  using Answer = std::shared_ptr<std::optional<client::ServerDescription>>;

  Answer describe() {
    auto pending = std::make_shared<std::optional<client::ServerDescription>>();
    tasks_.spawn(ask_for_it(&merge(), pending));
    poll();
    return pending;
  }

 private:
  static Task<void> ask_for_it(Merge* merge, Answer answer) {
    auto described = co_await merge->merged_description();
    if (described) *answer = std::move(*described);
  }
};

TEST_F(MergeDescription, CanDoWhatAnyOfThemCan) {
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

TEST_F(MergeDescription, JoinsInstructionsUnderTheNamesOfTheirServers) {
  add("git").tools({}).description.instructions = "commit often";
  add("quiet").tools({});
  add("fs").tools({}).description.instructions = "read only";
  EXPECT_EQ((*describe())->instructions, "# git\n\ncommit often\n\n# fs\n\nread only");
}

TEST_F(MergeDescription, LeavesTheInstructionsOfASingleServerAsTheyAre) {
  add("git").tools({}).description.instructions = "commit often";
  EXPECT_EQ((*describe())->instructions, "commit often");
}

TEST_F(MergeDescription, BoundsTheInstructions) {
  options_.max_instructions = 20;
  add("git").tools({}).description.instructions = std::string(100, 'x');
  add("fs").tools({}).description.instructions = "read only";
  EXPECT_EQ((*describe())->instructions, "# git\n\n" + std::string(13, 'x') + "…");
}

TEST_F(MergeDescription, WaitsForNobodyLongerThanTheDeadlineAndAssumesTheBest) {
  add("slow").silent = true;
  add("a").tools({});
  const auto described = describe();
  EXPECT_FALSE(*described);
  pass(5s);
  ASSERT_TRUE(*described);
  EXPECT_EQ(json::encode((*described)->capabilities),
            R"({"tools":{"listChanged":true},"resources":{"listChanged":true},"prompts":{"listChanged":true}})");
}

TEST_F(MergeDescription, OfNobodyOffersWhatMayCome) {
  EXPECT_TRUE((*describe())->capabilities.tools);
  EXPECT_EQ(body("tools/list"), R"({"tools":[]})");
}

TEST_F(MergeDescription, DoesNotStartALazyServer) {
  auto& a = add("a").tools({});
  seats_[0].lazy = true;
  EXPECT_TRUE((*describe())->capabilities.tools);
  EXPECT_EQ(a.described, 0u);
}

TEST_F(MergeDescription, OffersAListOfTasksOnlyWhereOneServerHasAny) {
  add("a").tools({}).description.capabilities.tasks = json::Payload::trusted(R"({"list":{},"cancel":{}})");
  auto& b = add("b").tools({});
  EXPECT_EQ((*describe())->capabilities.tasks->text(), R"({"list":{},"cancel":{}})");
  b.description.capabilities.tasks = json::Payload::trusted("{}");
  EXPECT_EQ((*describe())->capabilities.tasks->text(), R"({"cancel":{}})");
}

TEST_F(MergeDescription, Finding_P1_OfSeveralServersOffersNoExtensionWhoseMethodsItCannotRoute) {
  add("a").tools({}).description.capabilities.extensions = {
      {{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")},
       {"io.modelcontextprotocol/skills", json::Payload::trusted("{}")}}};
  add("b").tools({});
  EXPECT_FALSE((*describe())->capabilities.extensions);
}

TEST_F(MergeDescription, DoesNotAnswerForTheGatewayItself) {
  auto& a = add("a").tools({});
  EXPECT_EQ(fault("initialize"), Fault::unknown_method);
  EXPECT_EQ(fault("server/discover"), Fault::unknown_method);
  EXPECT_TRUE(a.calls.empty());
  EXPECT_EQ(body("ping"), "{}");
}

}  // namespace
}  // namespace fairlead::gateway::test::merge_description_test
