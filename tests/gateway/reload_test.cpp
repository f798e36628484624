#include "gateway/fixtures/gateway_rig.hpp"
#include "gateway/fixtures/http_test_server.hpp"

/// Reloads while clients are connected.
namespace fairlead::gateway::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<std::string> tool_names(client::Client& client) {
  std::vector<std::string> names;
  for (const auto& tool : client.tools()) names.push_back(tool.name);
  return names;
}

/// A gateway with two servers, one tool each.
struct ReloadTest : testing::Test {
  ReloadTest() {
    a.app.tool("of-a", "Is here", [] { return "a"; });
    b.app.tool("of-b", "Is here", [] { return "b"; });
    c.app.tool("of-c", "Is here", [] { return "c"; });
  }
  GatewayConfig config(const std::vector<ServerConfig>& servers) {
    auto made = config_of(servers);
    made.list_timeout = std::chrono::seconds{30};
    return made;
  }

  HttpTestServer a, b, c;
};

TEST_F(ReloadTest, Complaint_28_NotifiesConnectedClientsOfAddedAndRemovedServers) {
  GatewayRig rig(config({remote("a", a.url()), remote("b", b.url())}));
  std::atomic<int> changes = 0;
  client::ClientOptions options;
  options.on_list_changed = [&](client::ChangedList list) { changes += list == client::ChangedList::tools ? 1 : 0; };
  auto client = rig.client("/mcp", "2025-11-25", options);
  EXPECT_THAT(tool_names(client), IsSupersetOf({"of-a", "of-b"}));
  ASSERT_TRUE(rig.apply(config({remote("a", a.url()), remote("b", b.url()), remote("c", c.url())})));
  EXPECT_TRUE(eventually([&] { return changes > 0; }));
  EXPECT_THAT(tool_names(client), IsSupersetOf({"of-a", "of-b", "of-c"}));
  EXPECT_EQ(rig.client("/s/c/mcp").call<std::string>("of-c"), "c");
  changes = 0;
  ASSERT_TRUE(rig.apply(config({remote("a", a.url()), remote("c", c.url())})));
  EXPECT_TRUE(eventually([&] { return changes > 0; }));
  EXPECT_THAT(tool_names(client), Not(testing::Contains("of-b")));
  EXPECT_EQ(rig.post("/s/b/mcp", "{}").status, 404);
}

TEST_F(ReloadTest, KeepsUnchangedServersRunning) {
  GatewayRig rig(config({child("child"), remote("a", a.url())}));
  auto client = rig.client("/s/child/mcp");
  const auto pid = client.call<std::int64_t>("pid");
  std::string waited;
  std::thread waiting([&] {
    client::CallOptions call;
    try {
      client.call("wait", {}, call);
    } catch (const client::Failure& failed) {
      waited = failed.error().message;
    }
  });
  EXPECT_TRUE(eventually([&] { return rig.state("child").in_flight == 1; }));
  ASSERT_TRUE(rig.apply(config({child("child"), remote("b", b.url())})));
  EXPECT_EQ(rig.state("child").in_flight, 1U) << "a call in flight continues";
  EXPECT_EQ(client.call<std::int64_t>("pid"), pid);
  rig.stop();
  waiting.join();
}

TEST_F(ReloadTest, ReplacesAChangedServerAndKeepsItsClients) {
  GatewayRig rig(config({child("server", {"before"})}));
  auto client = rig.client("/s/server/mcp");
  EXPECT_EQ(client.call<std::string>("words"), "[before]");
  ASSERT_TRUE(rig.apply(config({child("server", {"after"})})));
  EXPECT_EQ(client.call<std::string>("words"), "[after]");
  EXPECT_TRUE(eventually([] { return children().size() == 1; })) << "the old process has ended";
}

TEST_F(ReloadTest, AnInvalidConfigurationChangesNothing) {
  GatewayRig rig(config({child("server")}));
  auto client = rig.client();
  const auto pid = client.call<std::int64_t>("pid");
  auto wrong = config({remote("a", a.url())});
  wrong.chain.push_back({.name = "tiemout", .at = {"chain.yaml:3"}});
  const auto applied = rig.apply(wrong);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, HasSubstr("chain.yaml:3: unknown middleware 'tiemout'"));
  EXPECT_EQ(client.call<std::int64_t>("pid"), pid);
  auto half = config({child("server", {"other"}), remote("a", a.url())});
  half.servers[1].chain.push_back({.name = "tiemout"});
  EXPECT_FALSE(rig.apply(half));
  EXPECT_EQ(client.call<std::int64_t>("pid"), pid) << "not even the valid part";
}

TEST_F(ReloadTest, DoesNotServeADisabledServer) {
  auto off = remote("b", b.url());
  off.disabled = true;
  GatewayRig rig(config({remote("a", a.url()), off}));
  auto client = rig.client();
  EXPECT_THAT(tool_names(client), Not(testing::Contains("of-b")));
  EXPECT_EQ(rig.post("/s/b/mcp", "{}").status, 404);
  ASSERT_TRUE(rig.apply(config({remote("a", a.url()), remote("b", b.url())})));
  EXPECT_TRUE(eventually([&] { return testing::Value(tool_names(client), testing::Contains("of-b")); }));
  ASSERT_TRUE(rig.apply(config({remote("a", a.url()), off})));
  EXPECT_THAT(tool_names(client), Not(testing::Contains("of-b")));
}

TEST_F(ReloadTest, RenewsSubscriptionsAtTheReplacedServer) {
  for (const std::string path : {"/mcp", "/s/server/mcp"}) {
    for (const std::string revision : {"2025-11-25", "2026-07-28"}) {
      GatewayRig rig(config({child("server", {"before"}), remote("a", a.url())}));
      std::atomic<int> updates = 0;
      client::ClientOptions options;
      options.on_resource_updated = [&](const std::string&) { ++updates; };
      auto client = rig.client(path, revision, options);
      client.subscribe("note://one");
      client.call("touch");
      EXPECT_TRUE(eventually([&] { return updates == 1; })) << path << " " << revision;
      ASSERT_TRUE(rig.apply(config({child("server", {"after"}), remote("a", a.url())})));
      EXPECT_TRUE(eventually([&] {
        client.call("touch");
        return updates > 1;
      })) << path
          << " " << revision;
    }
  }
}

}  // namespace
}  // namespace fairlead::gateway::test
