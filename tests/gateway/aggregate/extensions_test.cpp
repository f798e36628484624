#include "gateway/fixtures/aggregator_fixture.hpp"

/// Tasks, skills and pages of several servers.
namespace fairlead::gateway::test::extensions_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct ExtensionsTest : AggregatorTest {
  ExtensionsTest() {
    revision_ = protocol::find_revision("2026-07-28");
    declare({"io.modelcontextprotocol/tasks"});
  }
  void declare(std::vector<std::string> ids) {
    auto caller = std::make_shared<protocol::ClientIdentity>();
    auto& extensions = caller->capabilities.extensions.emplace();
    for (auto& id : ids) extensions.emplace(std::move(id), json::Payload::trusted("{}"));
    caller_ = std::move(caller);
  }
  static void extend(FakeBackend& backend, const std::string& id, const std::string& settings = "{}") {
    auto& extensions = backend.description.capabilities.extensions;
    if (!extensions) extensions.emplace();
    extensions->insert_or_assign(id, json::Payload::trusted(settings));
  }
  FakeBackend& with_task(const std::string& name, const std::string& tool) {
    auto& backend = add(name).tools({tool});
    backend.starts_tasks = true;
    extend(backend, "io.modelcontextprotocol/tasks");
    return backend.answers("tools/call", R"({"taskId":"same","status":"working"})")
        .answers("tasks/get", R"({"taskId":"same","from":")" + name + "\"}")
        .answers("tasks/cancel", "{}");
  }
  FakeBackend& with_skill(const std::string& name, const std::string& settings = "{}") {
    auto& backend = add(name).tools({name + "_tool"}).has(ListKind::skills, {R"({"uri":"skill://pdf/SKILL.md"})"});
    backend.has(ListKind::resources, {R"({"uri":"skill://pdf/SKILL.md"})"});
    extend(backend, "io.modelcontextprotocol/skills", settings);
    return backend.answers("skills/get", R"({"skill":{"uri":"skill://pdf/SKILL.md"}})")
        .answers("resources/read", R"({"contents":[{"uri":"skill://pdf/x.md","text":"skill://pdf/x.md"}]})")
        .answers("resources/directory/read", R"({"resources":[]})");
  }
  std::string begin(const std::string& tool) {
    const auto made = body("tools/call", R"({"name":")" + tool + "\"}");
    return json::decode<std::string>(json::member_of(made, "taskId")).value_or(made);
  }
  std::string get(const std::string& id, const std::string& tool) {
    return body("tasks/get", R"({"taskId":")" + id + R"(","name":")" + tool + "\"}");
  }
};

TEST_F(ExtensionsTest, EqualTaskIdsOfTwoServersAreTwoTasks) {
  auto& a = with_task("a", "one");
  with_task("b", "two");
  tools();
  EXPECT_EQ(begin("one"), "a/same");
  EXPECT_EQ(begin("two"), "b/same");
  EXPECT_EQ(get("b/same", "two"), R"({"taskId":"b/same","from":"b"})");
  EXPECT_EQ(get("a/same", "one"), R"({"taskId":"a/same","from":"a"})");
  EXPECT_THAT(a.last("tasks/get"), HasSubstr(R"("taskId":"same")"));
}

TEST_F(ExtensionsTest, ATaskIsFoundAfterARestartAndAReload) {
  with_task("a", "one");
  with_task("b", "two");
  EXPECT_EQ(get("b/same", "two"), R"({"taskId":"b/same","from":"b"})") << "nothing is remembered";
  aggregator().replace({slots_[0]});
  EXPECT_THAT(get("b/same", "two"), HasSubstr("the server of the task was removed"));
}

TEST_F(ExtensionsTest, TheServersChainGetsTheUpstreamNameOfTheTool) {
  auto& a = with_task("a", "same");
  with_task("b", "same");
  tools();
  EXPECT_EQ(begin("a__same"), "a/same");
  get("a/same", "a__same");
  EXPECT_THAT(a.last("tasks/get"), HasSubstr(R"("name":"same")"));
}

TEST_F(ExtensionsTest, QualifiesTheTasksOfASingleServer) {
  options_.pass_through_single = true;
  with_task("only", "one");
  EXPECT_EQ(begin("one"), "only/same");
  EXPECT_EQ(get("only/same", "one"), R"({"taskId":"only/same","from":"only"})");
}

TEST_F(ExtensionsTest, OffersWhatItRoutes) {
  extend(with_skill("a", R"({"directoryRead":true})"), "com.example/both");
  extend(with_skill("b"), "com.example/both");
  extend(*backends_[1], "com.example/own", R"({"x":1})");
  extend(*backends_[1], "io.modelcontextprotocol/ui");
  const auto offered = body("server/discover");
  EXPECT_THAT(offered, HasSubstr(R"("com.example/own":{"x":1})"));
  EXPECT_THAT(offered, HasSubstr(R"("io.modelcontextprotocol/skills":{})")) << "not all have directories";
  EXPECT_THAT(offered, HasSubstr(R"("io.modelcontextprotocol/ui":{})"));
  EXPECT_THAT(offered, Not(HasSubstr("com.example/both")));
}

TEST_F(ExtensionsTest, DeclaresToServersWhatItRoutes) {
  declare({"com.example/both", "com.example/own", "io.modelcontextprotocol/tasks"});
  extend(with_task("a", "one"), "com.example/both");
  extend(with_task("b", "two"), "com.example/both");
  extend(*backends_[1], "com.example/own");
  tools();
  begin("one");
  const auto& declared = *backends_[0]->last_caller->capabilities.extensions;
  EXPECT_FALSE(declared.contains("com.example/both"));
  EXPECT_TRUE(declared.contains("com.example/own"));
  EXPECT_TRUE(declared.contains("io.modelcontextprotocol/tasks"));
  aggregator().replace({slots_[0]});
  begin("one");
  EXPECT_TRUE(backends_[0]->last_caller->capabilities.extensions->contains("com.example/both"));
}

TEST_F(ExtensionsTest, MergesTheSkillsOfAllServers) {
  with_skill("a").hints(R"(,"ttlMs":5000,"cacheScope":"public")");
  with_skill("b").hints(R"(,"ttlMs":3000,"cacheScope":"private")");
  const auto skills = body("skills/list");
  EXPECT_THAT(keys(ListKind::skills, skills), ElementsAre("skill://a/pdf/SKILL.md", "skill://b/pdf/SKILL.md"));
  EXPECT_THAT(skills, HasSubstr(R"("ttlMs":3000)"));
  EXPECT_THAT(skills, HasSubstr(R"("cacheScope":"private")"));
  EXPECT_THAT(keys(ListKind::resources, body("resources/list")),
              ElementsAre("skill://a/pdf/SKILL.md", "skill://b/pdf/SKILL.md"));
}

TEST_F(ExtensionsTest, ReadsASkillFromItsServer) {
  auto& a = with_skill("a");
  auto& b = with_skill("b");
  EXPECT_EQ(body("skills/get", R"({"uri":"skill://b/pdf/SKILL.md"})"), R"({"skill":{"uri":"skill://b/pdf/SKILL.md"}})");
  EXPECT_EQ(b.last("skills/get"), R"({"uri":"skill://pdf/SKILL.md"})");
  EXPECT_EQ(body("resources/read", R"({"uri":"skill://b/pdf/x.md"})"),
            R"({"contents":[{"uri":"skill://b/pdf/x.md","text":"skill://pdf/x.md"}]})");
  EXPECT_EQ(b.last("resources/read"), R"({"uri":"skill://pdf/x.md"})") << "an unlisted file";
  EXPECT_EQ(a.count("skills/get") + a.count("resources/read"), 0U);
}

TEST_F(ExtensionsTest, Attack_AnotherServerDoesNotAnswerForAServerThatIsDown) {
  auto& a = with_skill("a");
  with_skill("b").dead = true;
  EXPECT_NE(fault("resources/read", R"({"uri":"skill://b/pdf/x.md"})"), ProtocolError::none);
  EXPECT_NE(fault("resources/read", R"({"uri":"skill://pdf/x.md"})"), ProtocolError::none);
  EXPECT_EQ(fault("skills/get", R"({"uri":"skill://nowhere/pdf/SKILL.md"})"), ProtocolError::invalid_params);
  EXPECT_EQ(a.count("resources/read"), 0U);
}

TEST_F(ExtensionsTest, ADirectoryOfAServerWithoutDirectoriesIsRefused) {
  with_skill("a", R"({"directoryRead":true})");
  auto& b = with_skill("b");
  tools();
  EXPECT_EQ(body("resources/directory/read", R"({"uri":"skill://a/pdf"})"), R"({"resources":[]})");
  EXPECT_EQ(fault("resources/directory/read", R"({"uri":"skill://b/pdf"})"), ProtocolError::invalid_params);
  EXPECT_EQ(b.count("resources/directory/read"), 0U);
}

TEST_F(ExtensionsTest, UpdatesOfASkillNameItsServer) {
  with_skill("a");
  auto& b = with_skill("b");
  FakePeer peer;
  const auto hook = open_session(peer);
  b.send_notification("notifications/resources/updated", R"({"uri":"skill://pdf/x.md"})");
  poll();
  EXPECT_THAT(peer.params, ElementsAre(R"({"uri":"skill://b/pdf/x.md"})"));
}

TEST_F(ExtensionsTest, AToolsPageNamesItsServerAndIsReadThere) {
  add("a").has(ListKind::tools,
               {R"({"name":"t","_meta":{"ui":{"resourceUri":"ui://c/f"},"ui/resourceUri":"ui://c/f"}})"});
  auto& b = add("b").tools({"u"}).answers("resources/read", R"({"contents":[{"uri":"ui://c/f"}]})");
  b.has(ListKind::resources, {});
  EXPECT_THAT(body("tools/list"), HasSubstr(R"({"ui":{"resourceUri":"ui://a/c/f"},"ui/resourceUri":"ui://a/c/f"})"));
  EXPECT_EQ(body("resources/read", R"({"uri":"ui://b/c/f"})"), R"({"contents":[{"uri":"ui://b/c/f"}]})");
  EXPECT_EQ(backends_[0]->count("resources/read"), 0U);
}

TEST_F(ExtensionsTest, ASingleServerKeepsItsUris) {
  options_.pass_through_single = true;
  auto& only = with_skill("only");
  EXPECT_THAT(keys(ListKind::skills, body("skills/list")), ElementsAre("skill://pdf/SKILL.md"));
  add("b").tools({"x"});
  aggregator().replace(slots_);
  poll();
  EXPECT_THAT(keys(ListKind::skills, body("skills/list")), ElementsAre("skill://only/pdf/SKILL.md"));
  EXPECT_EQ(only.count("skills/list"), 2U);
}

}  // namespace
}  // namespace fairlead::gateway::test::extensions_test
