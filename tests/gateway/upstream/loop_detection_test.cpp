#include "gateway/upstream/loop_detection.hpp"

#include "gateway/fixtures/gateway_rig.hpp"

/// Gateways that use each other as servers.
namespace fairlead::gateway::test::loop_detection_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

/// Tools of the fixture servers; each server prefixes them with its name.
GatewayConfig with_own(const std::string& own, std::vector<ServerConfig> others) {
  auto server = child(own);
  server.prefix = own;
  server.chain = {{.name = "allow", .arguments = {{"", "echo"}}}};
  others.insert(others.begin(), server);
  for (std::size_t i = 1; i < others.size(); ++i) others[i].prefix = others[i].name;
  auto config = config_of(std::move(others));
  config.list_timeout = std::chrono::seconds{30};
  return config;
}

std::vector<std::string> names_of(client::Client& client) {
  std::vector<std::string> names;
  for (const auto& tool : client.tools()) names.push_back(tool.name);
  return names;
}

template <class Action>
std::string complaint_of(Action action) {
  try {
    action();
    return "nothing";
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

TEST(LoopDetection, ReportsTwoGatewaysThatOnlyServeEachOther) {
  GatewayRig one(child("first"));
  GatewayRig two(remote("one", one.url()));
  ASSERT_TRUE(one.apply(config_of({remote("two", two.url())})));
  for (auto* each : {&one, &two}) {
    EXPECT_THAT(complaint_of([&] { each->client(); }), AllOf(HasSubstr("508"), HasSubstr("its own server")));
  }
}

TEST(LoopDetection, TwoGatewaysThatListEachOtherServeEachOthersTools) {
  GatewayRig one(with_own("a", {}));
  GatewayRig two(with_own("b", {remote("one", one.url())}));
  ASSERT_TRUE(one.apply(with_own("a", {remote("two", two.url())})));
  auto first = one.client();
  EXPECT_THAT(names_of(first), UnorderedElementsAre("a__echo", "two__echo"));
  auto second = two.client();
  EXPECT_THAT(names_of(second), UnorderedElementsAre("b__echo", "one__echo"));
  EXPECT_EQ(first.call<std::string>("two__echo", {{"text", "hi"}}), "hi");
  EXPECT_EQ(second.call<std::string>("one__echo", {{"text", "hi"}}), "hi");
}

TEST(LoopDetection, ListsDoNotGrowInALoopOfThreeGateways) {
  GatewayRig one(with_own("a", {}));
  GatewayRig three(with_own("c", {remote("one", one.url())}));
  GatewayRig two(with_own("b", {remote("three", three.url())}));
  ASSERT_TRUE(one.apply(with_own("a", {remote("two", two.url())})));
  for (int round = 0; round < 3; ++round) {
    auto client = one.client();
    EXPECT_THAT(names_of(client), UnorderedElementsAre("echo", "b__echo", "three__echo"));
    EXPECT_EQ(client.call<std::string>("three__echo", {{"text", "hi"}}), "hi");
  }
}

TEST(LoopDetection, ServesAServerThroughOtherGatewaysAsDirectly) {
  GatewayRig last(with_own("a", {}));
  GatewayRig middle(remote("last", last.url()));
  GatewayRig first(remote("middle", middle.url()));
  for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
    auto client = first.client("/mcp", revision);
    EXPECT_EQ(client.call<std::string>("echo", {{"text", revision}}), revision);
  }
  const auto count = [&] { return first.client().tools().size(); };
  ASSERT_EQ(count(), 1U);
  ASSERT_TRUE(last.apply(with_own("a", {with_own("b", {}).servers.front()})));
  EXPECT_TRUE(eventually([&] { return count() == 2; })) << "a reload also affects clients of other gateways";
}

TEST(LoopDetection, IgnoresViaEntriesOfOtherProxies) {
  GatewayRig rig(child("server"));
  const auto answer = rig.post("/mcp", "{}", "Via: 1.1 proxy.example, 1.0 fred\r\n");
  EXPECT_NE(answer.status, 508);
  EXPECT_EQ(rig.state("server").starts, 0U);
}

TEST(LoopDetection, RefusesTooManyGatewaysInARow) {
  GatewayRig rig(child("server"));
  std::string via = "Via: 1.1 fairlead-0";
  for (int i = 1; i <= 16; ++i) via += ", 1.1 fairlead-" + std::to_string(i);
  EXPECT_EQ(rig.post("/mcp", "{}", via + "\r\n").status, 508);
}

TEST(LoopDetection, LimitsForgedViaChains) {
  GatewayRig rig(child("server"));
  for (int i = 0; i < 200; ++i) {
    const auto via = "Via: 1.1 fairlead-forged" + std::to_string(i) + "\r\n";
    EXPECT_EQ(rig.post("/mcp", R"({"jsonrpc":"2.0","id":1,"method":"ping"})", via).status / 100, 4);
  }
  EXPECT_EQ(rig.client().call<std::string>("echo", {{"text", "hi"}}), "hi");
}

TEST(LoopDetection, ChildDetectsAConfigurationThatStartsItself) {
  const auto config = config_of({child("server")});
  const auto marker = child_marker(config);
  ASSERT_TRUE(marker);
  ::setenv(started_by_env, marker->c_str(), 1);
  const auto again = child_marker(config);
  const auto another = child_marker(config_of({child("another")}));
  ::unsetenv(started_by_env);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("remove the gateway from its own configuration"));
  ASSERT_TRUE(another) << another.error().message;
  EXPECT_THAT(*another, HasSubstr(*marker));
}

}  // namespace
}  // namespace fairlead::gateway::test::loop_detection_test
