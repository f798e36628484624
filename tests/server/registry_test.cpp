#include <fairlead/server/changes.hpp>
#include <thread>

#include "server/harness.hpp"

namespace fairlead::server::test::registry_test {
namespace {

using protocol::Fault;
using testing::ElementsAre;

struct RegistryTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};

  protocol::ListToolsResult list(const std::string& params = "{}") {
    return *json::decode<protocol::ListToolsResult>(client.body("tools/list", params));
  }
  std::vector<std::string> names(const std::string& params = "{}") {
    std::vector<std::string> names;
    for (const auto& tool : list(params).tools) names.push_back(tool.name);
    return names;
  }
  void add(const std::string& name) {
    app.tool(name, "", [] {});
  }
};

TEST_F(RegistryTest, ListsInTheOrderOfRegistration) {
  for (const char* name : {"zebra", "ant", "mole"}) add(name);
  EXPECT_THAT(names(), ElementsAre("zebra", "ant", "mole"));
}

TEST_F(RegistryTest, PagesGoOnWhereTheCursorSays) {
  for (const char* name : {"a", "b", "c"}) add(name);
  app.page_size(2);
  const auto first = list();
  ASSERT_TRUE(first.nextCursor);
  EXPECT_THAT(names(R"({"cursor":")" + *first.nextCursor + "\"}"), ElementsAre("c"));
  EXPECT_FALSE(list(R"({"cursor":")" + *first.nextCursor + "\"}").nextCursor);
}

TEST_F(RegistryTest, ACursorSurvivesChangesBeforeIt) {
  for (const char* name : {"a", "b", "c"}) add(name);
  app.page_size(2);
  const auto cursor = *list().nextCursor;
  app.remove_tool("a");
  EXPECT_THAT(names(R"({"cursor":")" + cursor + "\"}"), ElementsAre("c"));
}

TEST_F(RegistryTest, ACursorThatIsNoneIsRefusedTheEmptyOneToo) {
  add("a");
  app.prompt("p", "", [] { return "x"; });
  EXPECT_EQ(client.fault("tools/list", R"({"cursor":""})"), Fault::bad_cursor);
  EXPECT_EQ(client.fault("tools/list", R"({"cursor":"AAAA"})"), Fault::bad_cursor);
  EXPECT_EQ(client.fault("tools/list", R"({"cursor":7})"), Fault::invalid_params);
}

TEST_F(RegistryTest, ACursorBelongsToOneList) {
  for (const char* name : {"xxa", "b"}) add(name);
  for (const char* name : {"xxa", "a"}) app.prompt(name, "", [] { return "x"; });
  app.page_size(1);
  EXPECT_EQ(client.fault("prompts/list", R"({"cursor":")" + *list().nextCursor + "\"}"), Fault::bad_cursor);
}

TEST_F(RegistryTest, RemovesAndAddsAgain) {
  add("a");
  add("b");
  EXPECT_TRUE(app.remove_tool("a"));
  EXPECT_FALSE(app.remove_tool("a"));
  EXPECT_EQ(client.fault("tools/call", R"({"name":"a"})"), Fault::unknown_tool);
  add("a");
  EXPECT_THAT(names(), ElementsAre("b", "a"));
}

TEST_F(RegistryTest, WhatIsHiddenFromSomebodyDoesNotExistForThem) {
  add("public");
  add("secret");
  app.visible([](Kind, std::string_view name, std::string_view who) { return name != "secret" || who == "ann"; });
  EXPECT_THAT(names(), ElementsAre("public"));
  EXPECT_EQ(client.fault("tools/call", R"({"name":"secret"})"), Fault::unknown_tool);
  client.context.principal = "ann";
  EXPECT_THAT(names(), ElementsAre("public", "secret"));
  EXPECT_EQ(client.fault("tools/call", R"({"name":"secret"})"), Fault::none);
}

TEST_F(RegistryTest, HiddenResourcesAndPromptsDoNotExistEither) {
  add("secret");
  app.resource("a://secret", "s", [] { return "x"; });
  app.resource<"t://secret/{x}">("t", [](Arg<"x", std::string> x) { return *x; });
  app.prompt("secret", "", [](Arg<"x", std::string> x) { return *x; });
  app.complete(protocol::PromptReference{.name = "secret"}, "x",
               [](std::string) { return std::vector<std::string>{"a"}; });
  app.visible([](Kind, std::string_view name, std::string_view) { return name.find("secret") == name.npos; });
  for (const char* method : {"resources/list", "resources/templates/list", "prompts/list"}) {
    EXPECT_THAT(client.body(method), testing::HasSubstr(":[]")) << method;
  }
  EXPECT_EQ(client.fault("resources/read", R"({"uri":"a://secret"})"), Fault::resource_missing);
  EXPECT_EQ(client.fault("resources/read", R"({"uri":"t://secret/1"})"), Fault::resource_missing);
  EXPECT_EQ(client.fault("prompts/get", R"({"name":"secret","arguments":{"x":"1"}})"), Fault::prompt_missing);
  EXPECT_EQ(client.fault("completion/complete",
                         R"({"ref":{"type":"ref/prompt","name":"secret"},"argument":{"name":"x","value":""}})"),
            Fault::prompt_missing);
  client.context.spelled = "mcp/discover";
  EXPECT_THAT(client.body("server/discover"), testing::Not(testing::HasSubstr("secret")));
}

TEST_F(RegistryTest, TellsItsObserversOfChanges) {
  std::vector<Change> seen;
  auto subscription = app.subscribe_changes([&](const Change& change) { seen.push_back(change); });
  add("a");
  app.remove_tool("a");
  app.prompt("p", "", [] { return "x"; });
  app.resource("a://b", "b", [] { return "x"; });
  app.resource_updated("a://b");
  app.resource<"t://{x}">("t", [](Arg<"x", std::string> x) { return *x; });
  app.remove_resource("t://{x}");
  app.remove_resource("a://b");
  app.remove_prompt("p");
  subscription = {};
  add("b");
  const Change tool{Kind::tool, "a"}, prompt{Kind::prompt, "p"}, listed{Kind::resource, "a://b"};
  const Change updated{Kind::resource, "a://b", true}, family{Kind::resource_template, "t://{x}"};
  EXPECT_THAT(seen, ElementsAre(tool, tool, prompt, listed, updated, family, family, listed, prompt));
}

TEST_F(RegistryTest, AnObserverMayOutliveTheServerAndChangeItWhileItIsTold) {
  ChangeSubscription subscription;
  {
    Server other{"x", "1"};
    bool done = false;
    subscription = other.subscribe_changes([&](const Change&) {
      if (!std::exchange(done, true)) other.tool("second", "", [] {});
    });
    other.tool("first", "", [] {});
    EXPECT_TRUE(other.remove_tool("second"));
  }
  subscription = {};
}

TEST_F(RegistryTest, CallsAndChangesMayComeFromDifferentThreads) {
  add("a");
  std::thread changer([&] {
    for (int i = 0; i < 50; ++i) add("t" + std::to_string(i));
  });
  for (int i = 0; i < 50; ++i) EXPECT_GE(names().size(), 1U);
  changer.join();
  EXPECT_EQ(names().size(), 51U);
}

TEST_F(RegistryTest, ListsCarryTheCacheHintsTheyWereGiven) {
  add("a");
  app.cache(std::chrono::seconds{5}, protocol::CacheScope::public_);
  const auto result = list();
  EXPECT_EQ(result.ttlMs, 5000);
  EXPECT_EQ(result.cacheScope, protocol::CacheScope::public_);
}

}  // namespace
}  // namespace fairlead::server::test::registry_test
