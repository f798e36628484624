#include "gateway/upstream/per_era_pool.hpp"

#include "client/scripted_server.hpp"
#include "gateway/fixtures/gateway_rig.hpp"

namespace fairlead::gateway::per_era_pool_test {
namespace {

using test::child;
using test::eventually;
using test::GatewayRig;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

const std::string legacy = "2025-11-25";
const std::string modern = "2026-07-28";

ServerConfig scripted(const std::string& body) {
  return {.name = "script", .command = client::scripted_server(body)};
}

/// The revisions of the open connections.
std::vector<std::string> revisions_used(GatewayRig& rig) {
  return rig.on_loop([&] {
    std::vector<std::string> all;
    for (const auto& server : rig.gateway().status()) {
      for (const auto& state : server.states) {
        if (!state.revision.empty()) all.push_back(state.revision);
      }
    }
    return all;
  });
}

const char* const answers =
    R"(elif method == 'tools/list': result({'tools': [{'name': 'pid', 'inputSchema': {'type': 'object'}}]})
elif method == 'tools/call': result({'content': [{'type': 'text', 'text': str(os.getpid())}]})
elif 'id' in m: error(-32601, 'Method not found')
)";

std::string pid_of_caller(GatewayRig& rig, const std::string& revision) {
  auto client = rig.client("/mcp", revision);
  return client.call<std::string>("pid");
}

TEST(PerEraPool, Finding_P4_UsesTheHandshakeForALegacyClientOfADualServer) {
  GatewayRig rig(child("dual"));
  auto client = rig.client("/mcp", legacy);
  client.tools();
  EXPECT_THAT(revisions_used(rig), ElementsAre(legacy));
}

TEST(PerEraPool, Finding_P4_UsesNoHandshakeForAModernClientOfADualServer) {
  GatewayRig rig(child("dual"));
  auto client = rig.client("/mcp", modern);
  client.tools();
  EXPECT_THAT(revisions_used(rig), ElementsAre(modern));
}

TEST(PerEraPool, Finding_P4_OpensOneConnectionPerEra) {
  GatewayRig rig(child("dual"));
  auto old_one = rig.client("/mcp", legacy);
  old_one.tools();
  auto new_one = rig.client("/mcp", modern);
  new_one.tools();
  old_one.tools();
  EXPECT_THAT(revisions_used(rig), UnorderedElementsAre(legacy, modern));
}

TEST(PerEraPool, Finding_P4_AllServersUseTheEraOfTheClient) {
  GatewayRig rig(test::config_of({child("one"), child("two")}));
  auto client = rig.client("/mcp", legacy);
  client.tools();
  EXPECT_THAT(revisions_used(rig), ElementsAre(legacy, legacy));
}

TEST(PerEraPool, UsesOneProcessForAHandshakeOnlyServer) {
  const auto body = std::string("if method == 'initialize': initialized()\n") + answers;
  for (const auto& [first, second] : {std::pair(legacy, modern), std::pair(modern, legacy)}) {
    GatewayRig rig(scripted(body));
    const auto pid = pid_of_caller(rig, first);
    EXPECT_EQ(pid_of_caller(rig, second), pid) << first << " came first";
    EXPECT_TRUE(eventually([&] { return test::children().size() == 1; })) << "the other process has ended";
    EXPECT_THAT(revisions_used(rig), ElementsAre(legacy));
  }
}

TEST(PerEraPool, UsesOneProcessForAStatelessOnlyServer) {
  const auto body = "if method == 'server/discover': discovered(['2026-07-28'])\n" + std::string(answers);
  for (const auto& [first, second] : {std::pair(legacy, modern), std::pair(modern, legacy)}) {
    GatewayRig rig(scripted(body));
    const auto pid = pid_of_caller(rig, first);
    EXPECT_EQ(pid_of_caller(rig, second), pid) << first << " came first";
    EXPECT_TRUE(eventually([&] { return test::children().size() == 1; })) << "the other process has ended";
    EXPECT_THAT(revisions_used(rig), ElementsAre(modern));
  }
}

TEST(PerEraPool, AConfiguredEraAppliesToAllClients) {
  auto config = child("dual");
  config.era = client::EraPreference::stateless;
  GatewayRig rig(config);
  auto client = rig.client("/mcp", legacy);
  client.tools();
  EXPECT_THAT(revisions_used(rig), ElementsAre(modern));
}

TEST(PerEraPool, Finding_P4_APerCallerServerUsesTheEraOfItsCaller) {
  auto config = child("dual");
  config.share = Share::caller;
  GatewayRig rig(config);
  auto client = rig.client("/mcp", legacy);
  client.call("pid");
  EXPECT_THAT(revisions_used(rig), testing::Contains(legacy));
}

TEST(PerEraPool, ReportsAnUnreachableServerToBothEras) {
  GatewayRig rig(ServerConfig{.name = "none", .command = {"/no/such/program"}});
  for (const auto& revision : {legacy, modern}) {
    const auto error = test::failure_of([&] { rig.client("/mcp", revision).tools(); });
    EXPECT_THAT(error.message, testing::HasSubstr("/no/such/program")) << revision;
  }
}

}  // namespace
}  // namespace fairlead::gateway::per_era_pool_test
