#include <fairlead/server/changes.hpp>
#include <thread>

#include "server/harness.hpp"

namespace fairlead::server::test::registry_test {
namespace {

using protocol::ProtocolError;
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

TEST_F(RegistryTest, ListsInRegistrationOrder) {
  for (const char* name : {"zebra", "ant", "mole"}) add(name);
  EXPECT_THAT(names(), ElementsAre("zebra", "ant", "mole"));
}

TEST_F(RegistryTest, PagesContinueAtTheCursor) {
  for (const char* name : {"a", "b", "c"}) add(name);
  app.page_size(2);
  const auto first = list();
  ASSERT_TRUE(first.nextCursor);
  EXPECT_THAT(names(R"({"cursor":")" + *first.nextCursor + "\"}"), ElementsAre("c"));
  EXPECT_FALSE(list(R"({"cursor":")" + *first.nextCursor + "\"}").nextCursor);
}

TEST_F(RegistryTest, CursorSurvivesRemovalOfEarlierEntries) {
  for (const char* name : {"a", "b", "c"}) add(name);
  app.page_size(2);
  const auto cursor = *list().nextCursor;
  app.remove_tool("a");
  EXPECT_THAT(names(R"({"cursor":")" + cursor + "\"}"), ElementsAre("c"));
}

TEST_F(RegistryTest, RejectsInvalidAndEmptyCursors) {
  add("a");
  app.prompt("p", "", [] { return "x"; });
  EXPECT_EQ(client.error_of("tools/list", R"({"cursor":""})"), ProtocolError::bad_cursor);
  EXPECT_EQ(client.error_of("tools/list", R"({"cursor":"AAAA"})"), ProtocolError::bad_cursor);
  EXPECT_EQ(client.error_of("tools/list", R"({"cursor":7})"), ProtocolError::invalid_params);
}

TEST_F(RegistryTest, RejectsACursorOfAnotherList) {
  for (const char* name : {"xxa", "b"}) add(name);
  for (const char* name : {"xxa", "a"}) app.prompt(name, "", [] { return "x"; });
  app.page_size(1);
  EXPECT_EQ(client.error_of("prompts/list", R"({"cursor":")" + *list().nextCursor + "\"}"), ProtocolError::bad_cursor);
}

TEST_F(RegistryTest, RemovesAndReaddsATool) {
  add("a");
  add("b");
  EXPECT_TRUE(app.remove_tool("a"));
  EXPECT_FALSE(app.remove_tool("a"));
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"a"})"), ProtocolError::unknown_tool);
  add("a");
  EXPECT_THAT(names(), ElementsAre("b", "a"));
}

TEST_F(RegistryTest, HiddenToolsAreNotListedOrCallable) {
  add("public");
  add("secret");
  app.visible([](EntryKind, std::string_view name, std::string_view who) { return name != "secret" || who == "ann"; });
  EXPECT_THAT(names(), ElementsAre("public"));
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"secret"})"), ProtocolError::unknown_tool);
  client.context.principal = "ann";
  EXPECT_THAT(names(), ElementsAre("public", "secret"));
  EXPECT_EQ(client.error_of("tools/call", R"({"name":"secret"})"), ProtocolError::none);
}

TEST_F(RegistryTest, HiddenResourcesAndPromptsAreNotListedOrReadable) {
  add("secret");
  app.resource("a://secret", "s", [] { return "x"; });
  app.resource<"t://secret/{x}">("t", [](Arg<"x", std::string> x) { return *x; });
  app.prompt("secret", "", [](Arg<"x", std::string> x) { return *x; });
  app.complete(protocol::PromptReference{.name = "secret"}, "x",
               [](std::string) { return std::vector<std::string>{"a"}; });
  app.visible([](EntryKind, std::string_view name, std::string_view) { return name.find("secret") == name.npos; });
  for (const char* method : {"resources/list", "resources/templates/list", "prompts/list"}) {
    EXPECT_THAT(client.body(method), testing::HasSubstr(":[]")) << method;
  }
  EXPECT_EQ(client.error_of("resources/read", R"({"uri":"a://secret"})"), ProtocolError::resource_missing);
  EXPECT_EQ(client.error_of("resources/read", R"({"uri":"t://secret/1"})"), ProtocolError::resource_missing);
  EXPECT_EQ(client.error_of("prompts/get", R"({"name":"secret","arguments":{"x":"1"}})"),
            ProtocolError::prompt_missing);
  EXPECT_EQ(client.error_of("completion/complete",
                            R"({"ref":{"type":"ref/prompt","name":"secret"},"argument":{"name":"x","value":""}})"),
            ProtocolError::prompt_missing);
  client.context.original_method = "mcp/discover";
  EXPECT_THAT(client.body("server/discover"), testing::Not(testing::HasSubstr("secret")));
}

TEST_F(RegistryTest, NotifiesObserversOfChanges) {
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
  const Change tool{EntryKind::tool, "a"}, prompt{EntryKind::prompt, "p"}, listed{EntryKind::resource, "a://b"};
  const Change updated{EntryKind::resource, "a://b", true}, family{EntryKind::resource_template, "t://{x}"};
  EXPECT_THAT(seen, ElementsAre(tool, tool, prompt, listed, updated, family, family, listed, prompt));
}

TEST_F(RegistryTest, ObserverMayOutliveTheServerAndRegisterTools) {
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

TEST_F(RegistryTest, CallsAndChangesFromDifferentThreads) {
  add("a");
  std::thread changer([&] {
    for (int i = 0; i < 50; ++i) add("t" + std::to_string(i));
  });
  for (int i = 0; i < 50; ++i) EXPECT_GE(names().size(), 1U);
  changer.join();
  EXPECT_EQ(names().size(), 51U);
}

TEST_F(RegistryTest, ListsCarryConfiguredCacheHints) {
  add("a");
  app.cache(std::chrono::seconds{5}, protocol::CacheScope::public_);
  const auto result = list();
  EXPECT_EQ(result.ttlMs, 5000);
  EXPECT_EQ(result.cacheScope, protocol::CacheScope::public_);
}

}  // namespace
}  // namespace fairlead::server::test::registry_test
